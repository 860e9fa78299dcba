#!/bin/sh
# js-money 0.6.3, ts-money 0.4.8, on Node 26.10.0.
# `allocate()` divides an amount by ratios. The cents left over go to the first shares, also to one with the ratio 0:
# who is to get nothing gets a cent. And by its page `fromDecimal()` of js-money throws for more decimals than the
# currency has; it throws for 1.15 USD too, and for one in seven of the amounts below 10 USD, as 1.15 * 100 is no whole
# number.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . js-money@0.6.3 ts-money@0.4.8

cat > find.cjs <<'END'
const JsMoney = require('js-money')
const { Money } = require('ts-money')

for (const [amount, ratios] of [[1000, [1, 1, 1]], [5, [0, 1, 1]], [101, [0, 50, 50]]])
  for (const [library, make] of [['js-money', JsMoney.fromInteger], ['ts-money', Money.fromInteger]]) {
    const shares = make(amount, 'EUR').allocate(ratios)
    console.log(`${library}, ${amount} cents as ${ratios.join(':')}: ${shares.map((share) => share.amount).join(', ')}`)
  }
for (const amount of [1.25, 1.15]) {
  let outcome
  try {
    outcome = JsMoney.fromDecimal(amount, 'USD').amount
  } catch (error) {
    outcome = `throws ${error.message}`
  }
  console.log(`js-money, ${amount} USD: ${outcome}; ts-money: ${Money.fromDecimal(amount, 'USD').amount}`)
}
let refused = 0
for (let cents = 1; cents < 1000; cents++)
  try {
    JsMoney.fromDecimal(cents / 100, 'USD')
  } catch {
    refused++
  }
console.log(`js-money, of the amounts from 0.01 to 9.99: ${refused} refused`)
END
cat > expected <<'END'
js-money, 1000 cents as 1:1:1: 334, 333, 333
ts-money, 1000 cents as 1:1:1: 334, 333, 333
js-money, 5 cents as 0:1:1: 1, 2, 2
ts-money, 5 cents as 0:1:1: 1, 2, 2
js-money, 101 cents as 0:50:50: 1, 50, 50
ts-money, 101 cents as 0:50:50: 1, 50, 50
js-money, 1.25 USD: 125; ts-money: 125
js-money, 1.15 USD: throws Amount must be an integer; ts-money: 115
js-money, of the amounts from 0.01 to 9.99: 135 refused
END
node find.cjs > seen
diff expected seen && echo 'as found'
