/** A form that puts a fault rule together; what it says is part of the address. */
import type { Vocabulary } from '../../model/fault-rule.ts'
import { argumentOf, type FaultChoice, faultsOf, linesOf, ruleOf } from '../../model/fault-rule.ts'
import { Button, CopyLine } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Choice, NumberChoice, ParamField, RateChoice } from '../../parts/form.tsx'
import { change, param } from '../../state/address.ts'
import { control } from '../../state/calls.ts'
import { attempt } from '../../state/notices.ts'
import { organization } from '../../state/overview.ts'

const isWire = ({ wire }: Vocabulary, fault: string) => wire.some(({ word }) => word === fault)

/** What can happen to an operation, each with its value and text. */
function offered({ operations, wire, others }: Vocabulary, operation: string): (readonly [string, string])[] {
  const of = operations.filter(({ id }) => operation === '' || id === operation)
  const errors = new Map(of.flatMap((one) => one.errors.map((code, i) => [code, one.statuses[i] ?? 0])))
  return [
    ...[...errors].sort((a, b) => a[1] - b[1]).map(([code, status]) => [code, `${status} ${code}`] as const),
    ...[...wire, ...others].map(({ word, says }) => [word, `${word} – ${says}`] as const),
  ]
}

const operationText = ({ id, method, path }: Vocabulary['operations'][number]) =>
  `${id} – ${method} ${path.replace('/api/cli', '')}`

/** Reads the choices from the address. */
const readChoice = (first: string): FaultChoice => ({
  operation: param('op'),
  fault: param('fault') || first,
  argument: param('with'),
  lost: param('lost') !== '',
  next: param('next'),
  times: param('times'),
  after: param('after'),
  rate: param('rate'),
  seed: param('seed'),
})

/** The card. */
export function FaultCard({ words }: { readonly words: Vocabulary }) {
  const options = offered(words, param('op'))
  const choice = readChoice(options[0]?.[0] ?? 'unavailable')
  const { operation, fault, lost } = choice
  const org = param('for') === 'all' ? undefined : organization.value
  const rule = ruleOf(choice)
  const add = () =>
    attempt(
      'Add the fault',
      () => control('POST /faults', { body: { rule, org_id: org?.org_id } }),
      `Set: ${rule}`,
    )
  return (
    <Card title="A fault">
      <div class="fields">
        <Choice
          label="When"
          value={operation}
          options={[
            ['', 'any operation'],
            ...words.operations.map((one) => [one.id, operationText(one)] as const),
          ]}
          onPick={(op) => change({ op }, { quiet: true })}
        />
        <Choice
          label="Then"
          value={fault}
          options={options}
          onPick={(picked) => change({ fault: picked, with: undefined, lost: undefined }, { quiet: true })}
        />
        {argumentOf[fault] !== undefined && (
          <ParamField name="with" label="Length" placeholder={argumentOf[fault] ?? ''} />
        )}
        {isWire(words, fault) && (
          <label class="check">
            <input
              type="checkbox"
              checked={lost}
              onChange={(event) =>
                change({ lost: event.currentTarget.checked ? 1 : undefined }, { quiet: true })
              }
            />
            the request has its effect; only the answer is lost
          </label>
        )}
        <ParamField name="next" label="Followed by" placeholder="ok, reset" />
        <NumberChoice
          name="times"
          label="How often"
          usual="always"
          textOf={(times) => `${times} ×`}
          numbers={['1', '2', '3', '5', '10', '100']}
        />
        <NumberChoice name="after" label="Skip first" usual="none" numbers={['1', '2', '3', '5', '10']} />
        <RateChoice name="rate" label="Share" usual="all" />
        {choice.rate !== '' && <ParamField name="seed" label="Seed" placeholder="of the mock" />}
        <Choice
          label="For"
          value={param('for')}
          options={[
            ['', organization.value ? `${organization.value.key_name} only` : 'all organizations'],
            ['all', 'all organizations'],
          ]}
          onPick={(all) => change({ for: all }, { quiet: true })}
        />
      </div>
      <div class="row">
        <Button kind="main" act={add}>
          Break it
        </Button>
        <code class="rule">{rule}</code>
      </div>
      <details open>
        <summary>The same as flag, header or code</summary>
        {linesOf(rule, faultsOf(choice), org?.api_key, location.origin, START).map(([what, text]) => (
          <CopyLine key={what} what={what} text={text} />
        ))}
      </details>
    </Card>
  )
}
