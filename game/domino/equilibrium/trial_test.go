package equilibrium
import ("testing";"context";"fmt";"time";"os";"strconv";"perfectplay/internal/host")
func TestTrial(t *testing.T){
 a:=func(i int)int{ n,_:=strconv.Atoi(os.Getenv("T"+strconv.Itoa(i)));return n}
 g:=Game{a(1),a(2),Rules(os.Getenv("RULES"))}
 if g.Rules=="" {g.Rules=Study}
 var c Counts
 b:=time.Now()
 for _,r:=range g.Roots(){ k:=r.State.Count(1<<60); c.add(k); fmt.Println(r.Name,r.Deals,k)}
 fmt.Println(c,time.Since(b))
 b=time.Now(); x:=host.ProcessTime()
 its:=a(3)
 Solve(context.Background(),g,its,a(4),1,func(s string){fmt.Println(s,time.Since(b))})
 fmt.Println("cpu per iteration",(host.ProcessTime()-x)/time.Duration(its))
}
