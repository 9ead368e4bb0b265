package domino
import ("testing";"fmt";"strings")
func TestExplore(t *testing.T){
 d,_,err:=ParseDeal("6|6 1|6 2|4 2|6 3|3 3|4 3|6 / 0|0 0|1 0|2 0|3 0|5 0|6 1|5")
 if err!=nil{t.Fatal(err)}
 var l []string
 WalkLeaves(d.Start(), func(p Position){ s:=fmt.Sprint(p.Score()); if p.Blocked(){s+="X"}; l=append(l,s)})
 fmt.Println(ReferenceStats(d.Start()), strings.Join(l[len(l)-8:]," "))
 d,_,_=ParseDeal("0|2 1|2 1|5 2|2 2|6 4|4 5|6 / 0|4 1|4 1|6 2|4 2|5 4|5 4|6")
 fmt.Println(ReferenceStats(d.Start()))
 for _,o:=range []string{"0|0 0|2 1|1 2|2 2|5 3|3 4|4","0|0 0|1 0|2 1|1 1|2 3|3 4|4","0|1 1|1 1|2 1|3 1|4 1|5 3|3","0|0 1|0 2|0 3|0 4|0 5|0 1|1","0|4 1|1 1|4 2|4 3|4 4|4 4|5"}{
 d,_,err=ParseDeal("0|6 1|6 2|6 3|6 4|6 5|6 6|6/"+o)
 fmt.Println(ReferenceStats(d.Start()),err)
 }
}
