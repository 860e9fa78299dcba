/** Break it: faults and their rules, scenarios, chaos and quirks, each to be chosen, and each as a line to copy. */

import type { FaultRuleWithCounts } from '#mocks/faults/rule.ts'
import { useEffect } from '../../draw.ts'
import {
  equivalentCommandsOf,
  exampleArguments,
  type FaultFormValues,
  type FaultVocabulary,
  faultRuleTextOfForm,
  faultTextsOfForm,
  shellQuoted,
} from '../../model/fault-rule.ts'
import { Button, CopyButton, CopyLine } from '../../parts/button.tsx'
import { Card, LoadingText, NameValueList } from '../../parts/card.tsx'
import {
  AddressParamInput,
  AddressParamSelect,
  FaultRateSelect,
  NumberSelectParam,
  SelectField,
} from '../../parts/form.tsx'
import { countText, formatNumber } from '../../parts/text.ts'
import {
  addressParam,
  changeAddress,
  continueUnlessAddressChanged,
  parsedAddress,
} from '../../state/address.ts'
import { adminToken, callControlRoute, controlUrl } from '../../state/calls.ts'
import { connectionState } from '../../state/live.ts'
import { runUndoable, saveStateForUndo } from '../../state/moments.ts'
import { runWithNotice } from '../../state/notices.ts'
import {
  activeFaultRules,
  changedOrganizationSettings,
  faultVocabulary,
  loadVocabularyAndScenarios,
  organizationsById,
  scenarios,
  shownOrganization,
} from '../../state/overview.ts'
import { callControlForShownOrganization } from '../../state/requests.ts'

/** The command that starts the mock; the build puts it in. */
declare const START: string

const isWire = ({ wire }: FaultVocabulary, fault: string) => wire.some(({ word }) => word === fault)

/** The faults that can happen to an operation (empty: to any), each with its value and its text. */
function offered(
  { operations, wire, others }: FaultVocabulary,
  operation: string,
): (readonly [string, string])[] {
  const of = operations.filter(({ id }) => !operation || id === operation)
  const errors = new Map(of.flatMap((one) => one.errors.map((code, i) => [code, one.statuses[i] ?? 0])))
  const able = others.filter((one) => !operation || one.operations.some((id) => id === operation))
  return [
    ...[...errors].sort((a, b) => a[1] - b[1]).map(([code, status]) => [code, `${status} ${code}`] as const),
    ...[...wire, ...able].map(({ word, says }) => [word, `${word} – ${says}`] as const),
  ]
}

const operationText = ({ id, method, path }: FaultVocabulary['operations'][number]) =>
  `${id} – ${method} ${path.replace('/api/cli', '')}`

function FaultCard({ words }: { readonly words: FaultVocabulary }) {
  const options = offered(words, addressParam('op'))
  const fault = addressParam('fault') || (options[0]?.[0] ?? 'unavailable')
  const choice: FaultFormValues = { ...parsedAddress.value.params, fault }
  const org_id = addressParam('for') === 'all' ? undefined : shownOrganization.value?.org_id
  const rule = faultRuleTextOfForm(choice)
  const add = () =>
    callControlForShownOrganization('Add the fault', 'POST /faults', { rule, org_id }, `Set: ${rule}`)
  return (
    <Card title="A fault">
      <form method="dialog">
        <div class="fields">
          <AddressParamSelect
            typed
            name="op"
            label="When"
            options={[
              ['', 'any operation'],
              ...words.operations.map((one) => [one.id, operationText(one)] as const),
            ]}
          />
          <SelectField
            label="Then"
            value={fault}
            options={options}
            onPick={(picked) =>
              changeAddress({ fault: picked, with: undefined, lost: undefined }, { quiet: true })
            }
          />
          {exampleArguments[fault] && (
            <AddressParamInput name="with" label="Length" placeholder={exampleArguments[fault]} />
          )}
          {isWire(words, fault) && (
            <label class="check">
              <input
                type="checkbox"
                checked={addressParam('lost') !== ''}
                onChange={(event) =>
                  changeAddress({ lost: event.currentTarget.checked ? 1 : undefined }, { quiet: true })
                }
              />
              the request has its effect; only the answer is lost
            </label>
          )}
          <AddressParamInput name="next" label="Followed by" placeholder="ok, reset" />
          <NumberSelectParam
            name="times"
            label="How often"
            usual="always"
            textOf={(times) => `${times} ×`}
            numbers={['1', '2', '3', '5', '10', '100']}
          />
          <NumberSelectParam
            name="after"
            label="Skip first"
            usual="none"
            numbers={['1', '2', '3', '5', '10']}
          />
          <FaultRateSelect name="rate" label="Share" usual="all" />
          {addressParam('rate') !== '' && (
            <AddressParamInput name="seed" label="Seed" placeholder="of the mock" />
          )}
          <AddressParamSelect
            typed
            name="for"
            label="For"
            options={[
              ...(shownOrganization.value ? [['', `${shownOrganization.value.key_name} only`] as const] : []),
              [shownOrganization.value ? 'all' : '', 'all organizations'],
            ]}
          />
        </div>
        <div class="row">
          <Button text="Break it" kind="main" type="submit" act={add} />
          <code class="rule">{rule}</code>
        </div>
      </form>
      <SameRule open rule={rule} faults={faultTextsOfForm(choice)} org_id={org_id} />
    </Card>
  )
}

interface SameProps {
  readonly open?: boolean
  readonly rule: string
  readonly faults: readonly string[]
  /** Undefined: for all organizations. */
  readonly org_id: string | undefined
}

const SameRule = ({ open = false, rule, faults, org_id }: SameProps) => (
  <details open={open}>
    <summary>The same as flag, header or code</summary>
    {equivalentCommandsOf(
      rule,
      faults,
      START,
      location.origin + controlUrl('/faults', { org_id, token: adminToken }),
      org_id,
    ).map(([what, text]) => (
      <CopyLine key={what} what={what} text={text} />
    ))}
  </details>
)

/** The card of everything that is set, whoever set it. A used-up rule is not listed. */
function RulesCard() {
  const all = activeFaultRules.value
  const set = changedOrganizationSettings.value
  const removeAll = () =>
    runUndoable(
      'Remove all faults',
      () => saveStateForUndo(),
      () => Promise.all(all.map(remove)),
      `Removed ${countText(all.length, 'rule')}`,
    )
  return (
    <Card title="What is set">
      {all.length + set.length === 0 && (
        <p class="muted">Nothing: every request is answered as it should be.</p>
      )}
      <ul class="entries">
        {set.map(({ text, end, route, body }) => (
          <li key={text} class="entry row">
            <span class="grow">{text}</span>
            <Button
              text={end}
              kind="small"
              label={`${end}: ${text}`}
              act={() => runWithNotice(text, () => callControlRoute(route, { body }))}
            />
          </li>
        ))}
      </ul>
      <ul class="entries">
        {all.map((rule) => (
          <RuleEntry key={`${rule.org_id} ${rule.id}`} rule={rule} />
        ))}
      </ul>
      {all.length > 0 && (
        <p class="row">
          <Button text="Remove all rules" kind="danger" act={removeAll} />
        </p>
      )}
    </Card>
  )
}

const remove = ({ id, org_id }: FaultRuleWithCounts) =>
  callControlRoute(`DELETE /faults/${encodeURIComponent(id)}`, { body: { org_id: org_id ?? undefined } })

function RuleEntry({ rule }: { readonly rule: FaultRuleWithCounts }) {
  const { org_id, text, faults, matched, fired, remaining } = rule
  const org = org_id === null ? undefined : organizationsById.value.get(org_id)
  return (
    <li class="entry">
      <p class="row">
        <code class="rule grow">{text}</code>
        <Button
          text="Remove"
          kind="small"
          label={`Remove ${text}`}
          act={() => runWithNotice('Remove the rule', () => remove(rule))}
        />
      </p>
      <p class="muted">
        {org_id === null ? 'all organizations' : (org?.key_name ?? org_id)}; matched {formatNumber(matched)},
        applied {formatNumber(fired)}
      </p>
      <p class="counter" role="status">
        {remaining === null ? (
          'without limit'
        ) : (
          <>
            <strong class="number">{formatNumber(remaining)}</strong> left
          </>
        )}
      </p>
      <SameRule rule={text} faults={faults} org_id={org_id ?? undefined} />
    </li>
  )
}

/** Starts a scenario for an organization, or for the whole mock. */
const start = (id: string, title: string, org_id: string | undefined) =>
  runUndoable(
    'Start the scenario',
    () => saveStateForUndo(org_id),
    () =>
      continueUnlessAddressChanged(
        callControlRoute(`POST /scenarios/${id}/start`, { body: { org_id } }),
        (answer) => changeAddress({ org: answer.org_id ?? undefined, at: undefined, task: undefined }),
      ),
    `Started: ${title}. Undo restores no requests`,
  )

function ScenariosCard() {
  const org = shownOrganization.value
  return (
    <Card title="Scenarios" aside="each replaces state, faults and requests">
      <ul class="gallery">
        {scenarios.value?.map(({ id, title, shows }) => (
          <li key={id} class="entry">
            <h3>{title}</h3>
            <p>{shows.split('. ')[0]?.replace(/\.?$/, '.')}</p>
            <div class="row">
              {[...(org ? [org] : []), { key_name: 'all', org_id: undefined }].map(({ key_name, org_id }) => (
                <Button
                  key={org_id}
                  text={`Start for ${key_name}`}
                  kind="small"
                  label={`${title}: start for ${key_name}`}
                  act={() => start(id, title, org_id)}
                />
              ))}
              <CopyButton what={`flag of ${title}`} label="flag" text={`${START} --scenario ${id}`} />
              <CopyButton what={`code of ${title}`} label="code" text={`createMock({ scenario: '${id}' })`} />
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function ChaosCard({ quirks: all }: { readonly quirks: FaultVocabulary['quirks'] }) {
  const [chaos, seed, quirks] = ['chaos', 'cseed', 'quirks'].map(addressParam)
  const given = [
    ['chaos', 'chaos', chaos],
    ['strict-client', 'strictClient', quirks],
  ].filter(([, , value]) => value)
  const options = Object.fromEntries(given.map(([, option, value]) => [option, value]))
  const org = shownOrganization.value
  const set = () =>
    callControlForShownOrganization(
      'Chaos and quirks',
      'PUT /behaviour',
      { chaos: chaos || 0, chaosSeed: seed || undefined, strictClient: quirks || false },
      'Set',
    )
  const textOf = (before: string, between: string, write = (value: string) => value) =>
    given.map(([flag, , value = '']) => before + flag + between + write(value)).join('')
  return (
    <Card
      title="Chaos and quirks"
      aside={
        org && (
          <span class="muted">
            {org.key_name}: chaos {org.chaos ?? 'off'}, quirks {org.strict_client ?? 'off'}
          </span>
        )
      }
    >
      <p class="muted">Chaos: some requests fail. Quirks: unusual, but legal.</p>
      <form method="dialog">
        <div class="fields">
          <FaultRateSelect name="chaos" label="Chaos: share" usual="none" />
          <AddressParamInput name="quirks" label="Quirks: seed or ids" placeholder="7" />
          {chaos !== '' && <AddressParamInput name="cseed" label="Chaos: seed" placeholder="of the mock" />}
          <Button
            text={`Set for ${org?.key_name ?? ''}`}
            kind="main"
            type="submit"
            disabled={!org}
            act={set}
          />
        </div>
      </form>
      <details open={given.length > 0}>
        <summary>The same as flag, key or code{seed && ' but seed'}</summary>
        <CopyLine what="flag" text={`${START}${textOf(' --', ' ', shellQuoted)}`} />
        <CopyLine what="key" text={`wak_test_ada${textOf('.', '=')}`} />
        <CopyLine what="TypeScript" text={`createMock(${JSON.stringify(options)})`} />
      </details>
      <details>
        <summary>The {all.length} quirks</summary>
        <NameValueList pairs={all.map(({ id, says }) => [<code key={id}>{id}</code>, says])} />
      </details>
    </Card>
  )
}

/** The view "Break it": sets faults, scenarios, chaos and quirks. */
export function BreakView() {
  useEffect(() => void loadVocabularyAndScenarios(), [connectionState.value])
  const words = faultVocabulary.value
  if (!words) return <LoadingText />
  return (
    <>
      <div class="cards two">
        <FaultCard words={words} />
        <RulesCard />
      </div>
      <ScenariosCard />
      <ChaosCard quirks={words.quirks} />
    </>
  )
}
