#!/bin/bash
# Proofs with a book, on one thread: without, cold, warm, and killed after SECONDS until it ends.
# usage: book.sh SECONDS
for g in 8x7k5 9x6k5; do
  prove=(solve mnk solve "mnk-$g" --threads 1 --mem 1GiB --method zones --json)
  book=(--book "$g.book" --book-nodes 2000)
  rm -f "$g.book"
  echo "$g none $(/usr/bin/time -f %U "${prove[@]}" 2>&1 | tr '\n' ' ')"
  echo "$g cold $(/usr/bin/time -f %U "${prove[@]}" "${book[@]}" 2>&1 | tr '\n' ' ')"
  echo "$g warm $(/usr/bin/time -f %U "${prove[@]}" "${book[@]}" 2>&1 | tr '\n' ' ')"
  rm -f "$g.book"
  for n in {1..12}; do
    got=$(/usr/bin/time -f %U timeout -s KILL "$1" "${prove[@]}" "${book[@]}" 2>&1 | tr '\n' ' ')
    case $got in
    *'"value":"draw"'*) echo "$g killed $((n - 1)) times, then $got"; break ;;
    *) echo "$g kill $n: $got; $(solve book list "$g.book" --csv 2>&1 | tail -1)" ;;
    esac
  done
  /usr/bin/time -f %U "${prove[@]}" "${book[@]}" 2>&1
done
