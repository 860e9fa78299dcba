/** Data: the resources of an organization other than tasks, each kind as a table with a form to add one. */
import type { ComponentChildren } from 'preact'
import { useSignal } from '../../draw.ts'
import type { OrganizationState, OrganizationView, ResourceRow } from '../../model/organization.ts'
import { Button, CopyButton, CopyLine } from '../../parts/button.tsx'
import { Card, missingTargetText, Table, WithLoadedState } from '../../parts/card.tsx'
import { Form, type FormValues, MultiLineTextField, SingleLineTextField } from '../../parts/form.tsx'
import { useListKeys } from '../../parts/list.tsx'
import { formatMoment, formatNumber } from '../../parts/text.ts'
import { CodeText, JsonCode } from '../../parts/value.tsx'
import { addressParam, changeAddress, hrefOf } from '../../state/address.ts'
import { callControlRoute, callWithKey, sendAsSession } from '../../state/calls.ts'
import { runUndoable, saveStateForUndo } from '../../state/moments.ts'
import { runWithNotice } from '../../state/notices.ts'
import { shownMoment } from '../../state/requests.ts'

/** A kind of resource: the columns of its table, and the actions on it. */
interface Kind {
  readonly title: string
  /** Names of the fields in the columns; the first one names the resource. */
  readonly columns: readonly string[]
  /** The noun for one resource; unset: none can be added. */
  readonly one?: string
  /** Names of the fields of a form for a new one, with the values of those that are left empty. */
  readonly fields?: FormValues
  readonly add?: (values: FormValues, org: OrganizationView) => Promise<unknown>
  /** Buttons of a row. */
  readonly actions?: (item: ResourceRow, org: OrganizationView) => ComponentChildren
  /** Details of an open row; default: the whole row as JSON. */
  readonly details?: (item: ResourceRow) => ComponentChildren
}

const post =
  (path: string): NonNullable<Kind['add']> =>
  (values, org) =>
    callWithKey(org.api_key, `POST ${path}`, values)

const kinds: Readonly<Record<string, Kind>> = {
  documents: {
    title: 'Documents',
    columns: ['title', 'kind', 'folder_id', 'created_at'],
    one: 'document',
    fields: { title: 'Notes', folder_id: '', content_md: '' },
    add: post('/documents'),
    details: (item) => <DocumentText item={item} />,
  },
  notifications: {
    title: 'Notifications',
    columns: ['title', 'body', 'created_at', 'read'],
    one: 'notification',
    fields: { title: 'Hello', body: '' },
    add: (values, { org_id }) => callControlRoute('POST /notifications', { body: { org_id, ...values } }),
    actions: ({ id, read, title }, org) =>
      read !== true && (
        <Button
          text="Mark as read"
          kind="small"
          label={`Mark as read: ${title}`}
          act={() =>
            runWithNotice('Mark as read', () =>
              callWithKey(org.api_key, `POST /notifications/${encodeURIComponent(id)}/read`),
            )
          }
        />
      ),
  },
  keys: {
    title: 'API keys',
    columns: ['name', 'prefix', 'last_used_at'],
    one: 'key',
    fields: { name: 'CI' },
    actions: ({ id, name }, org) => (
      <Button
        text="Delete"
        kind="danger small"
        label={`Delete the key ${name}`}
        act={() =>
          runUndoable(
            'Delete the key',
            () => saveStateForUndo(org.org_id),
            async () => void (await sendAsSession(org, 'DELETE', `/keys/${encodeURIComponent(id)}`)),
            `Deleted the key ${name}`,
          )
        }
      />
    ),
  },
  creatives: {
    title: 'Creatives',
    columns: ['prompt', 'width', 'height', 'created_at'],
    one: 'creative (1 credit)',
    fields: { prompt: 'A calm sea', size: '' },
    add: post('/creative/generate'),
    details: ({ url, prompt }) => (
      <img src={new URL(String(url), location.origin).pathname} alt={String(prompt)} loading="lazy" />
    ),
  },
  landing_pages: {
    title: 'Landing pages',
    columns: ['business_name', 'page_type', 'created_at'],
    one: 'landing page',
    fields: { business_name: 'Ada', preferred_subdomain: '', page_type: '' },
    add: post('/landing-pages'),
  },
  campaigns: { title: 'Campaigns', columns: ['name', 'status', 'created_at'] },
  prospects: { title: 'Prospects', columns: ['name', 'email', 'createdTime'] },
  wallet: { title: 'Wallet', columns: [] },
}

/** The view "Data": every resource of an organization but its tasks, each kind as a table. */
export const ResourcesView = () => (
  <WithLoadedState>{(all, org) => <Data all={all} org={org} />}</WithLoadedState>
)

function Data({ all, org }: { readonly all: OrganizationState; readonly org: OrganizationView }) {
  const id = addressParam('kind') || 'documents'
  const kind = Object.hasOwn(kinds, id) ? kinds[id] : undefined
  const rowsOf = (name: string) => (all[name as 'documents'] ?? []) as readonly ResourceRow[]
  return (
    <>
      <nav class="tabs" aria-label="Data">
        {Object.entries(kinds).map(([name, { title }]) => (
          <a key={name} href={hrefOf('data', { kind: name })} aria-current={name === id ? 'page' : undefined}>
            {title}{' '}
            {name !== 'wallet' && <span class="muted number">{formatNumber(rowsOf(name).length)}</span>}
          </a>
        ))}
      </nav>
      {!kind ? (
        <p class="empty">{missingTargetText('kind', id)}</p>
      ) : id === 'wallet' ? (
        <Card title="Wallet">
          <JsonCode value={all.wallet} />
        </Card>
      ) : (
        <Rows key={id} kind={kind} items={rowsOf(id)} org={org} />
      )}
    </>
  )
}

const labels: Readonly<Record<string, string>> = {
  folder_id: 'Folder',
  content_md: 'Markdown',
  created_at: 'Created',
  createdTime: 'Created',
}
const labelOf = (name: string) =>
  labels[name] ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

/** A value in a cell. */
function textOf(name: string, value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (/_at$|Time$/.test(name)) return formatMoment(value as string | number)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return String(value)
}

interface RowsProps {
  readonly kind: Kind
  readonly items: readonly ResourceRow[]
  readonly org: OrganizationView
}

function Rows({ kind: { title, columns, one, fields = {}, add, actions, details }, items, org }: RowsProps) {
  const secret = useSignal('')
  const past = shownMoment.value !== ''
  const active = items.findIndex(({ id }) => id === addressParam('id'))
  const open = items[active]
  useListKeys({
    count: items.length,
    active,
    choose: (place) => changeAddress({ id: items[place]?.id }, { quiet: active >= 0 }),
  })
  const create = (values: FormValues) =>
    runWithNotice(`Create a ${one}`, async () => {
      if (add) await add(values, org)
      else secret.value = JSON.parse(await sendAsSession(org, 'POST', '/keys', values)).secret
    })
  return (
    <Card title={title}>
      {one && !past && (
        <Form label={`New ${one}`} usual={fields} button="Create" submit={create}>
          {Object.entries(fields).map(([name, usual]) =>
            name === 'content_md' ? (
              <MultiLineTextField key={name} name={name} label={labelOf(name)} rows={3} />
            ) : (
              <SingleLineTextField
                key={name}
                name={name}
                label={labelOf(name)}
                placeholder={usual}
                size={12}
              />
            ),
          )}
        </Form>
      )}
      {secret.value !== '' && <CopyLine what="new secret, shown only now" text={secret.value} />}
      <Table
        title={title}
        heads={[...columns.map(labelOf), '']}
        rows={items}
        none={<p class="muted">None{one && !past && ' yet: create one above'}.</p>}
        row={(item) => (
          <tr
            key={item.id}
            aria-current={item === open ? 'true' : undefined}
            class={item.read === false ? 'unread' : undefined}
          >
            {columns.map((name, place) => (
              <td key={name} class="clip" dir="auto" title={textOf(name, item[name])}>
                {place === 0 ? (
                  <a href={hrefOf('data', { kind: addressParam('kind'), id: item.id })}>
                    {textOf(name, item[name])}
                  </a>
                ) : (
                  textOf(name, item[name])
                )}
              </td>
            ))}
            <td>{!past && actions?.(item, org)}</td>
          </tr>
        )}
      />
      {open ? (
        <section class="entry details" tabIndex={-1} aria-label={textOf('', open[columns[0] ?? 'id'])}>
          <Button text="Close" kind="small" act={() => changeAddress({ id: undefined })} />
          {details?.(open)}
          <JsonCode value={open} />
        </section>
      ) : (
        <p>{missingTargetText('entry', addressParam('id'))}</p>
      )}
    </Card>
  )
}

/** One document with its text. */
function DocumentText({ item: { title, content_md, summary } }: { readonly item: ResourceRow }) {
  const text = String(content_md ?? '')
  return (
    <>
      <h2 dir="auto">{String(title)}</h2>
      <CopyButton what="Markdown" text={text} />
      {typeof summary === 'string' && <CodeText label="Summary" text={summary} />}
      <CodeText label="Markdown" text={text} />
    </>
  )
}
