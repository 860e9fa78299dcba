#!/bin/sh
# currency.js 2.0.4, on Node 26.10.0.
# A charge and its refund are to cancel. Half a cent is rounded up in a charge and towards zero in a refund, in a
# value as in a product, so that a cent is left over. And the text `1e3`, as which JSON may have a thousand, is 13.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . currency.js@2.0.4

cat > find.mjs <<'END'
import currency from 'currency.js'

for (const [name, make] of Object.entries({
  '1.005': (sign) => currency(sign * 1.005),
  '10.01 by half': (sign) => currency(sign * 10.01).multiply(0.5),
  '0.25 by a tenth': (sign) => currency(sign * 0.25).multiply(0.1),
  '10 by a third': (sign) => currency(sign * 10).divide(3),
})) {
  const [charge, refund] = [make(1), make(-1)]
  console.log(`${name}: charge ${charge}, refund ${refund}, together ${charge.add(refund)}`)
}
for (const text of ['1000', '1e3']) console.log(`${text}: ${currency(text)}`)
END
cat > expected <<'END'
1.005: charge 1.01, refund -1.00, together 0.01
10.01 by half: charge 5.01, refund -5.00, together 0.01
0.25 by a tenth: charge 0.03, refund -0.02, together 0.01
10 by a third: charge 3.33, refund -3.33, together 0.00
1000: 1000.00
1e3: 13.00
END
node find.mjs > seen
diff expected seen && echo 'as found'
