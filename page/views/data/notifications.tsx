/** Notifications: unread ones stand out; one can be added or marked as read. */
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Field, Form } from '../../parts/form.tsx'
import { Longer } from '../../parts/longer.tsx'
import { amount, momentOf } from '../../parts/text.ts'
import { callApi } from '../../state/calls.ts'
import { act, moment } from '../../state/details.ts'
import { attempt } from '../../state/notices.ts'
import type { Shown } from './shown.ts'

interface Notification {
  readonly id: string
  readonly type: string
  readonly title: string
  readonly body: string
  readonly created_at: string
  readonly read: boolean
}

/** The card. */
export function Notifications({ all, org }: Shown) {
  const newest = all.notifications as readonly object[] as readonly Notification[]
  const past = moment.value !== ''
  const markRead = (id: string) =>
    attempt('Mark as read', () => callApi(org, `POST /notifications/${encodeURIComponent(id)}/read`))
  return (
    <Card title="Notifications" aside={<span class="muted">{amount(org.unread)} unread</span>}>
      {!past && (
        <Form
          label="New notification"
          button="Add"
          usual={{ title: 'Hello' }}
          submit={(values) => act('Add', 'POST /notifications', values)}
        >
          <Field name="title" label="Title" placeholder="Hello" />
          <Field name="body" label="Text" />
        </Form>
      )}
      <Longer
        items={newest}
        row={({ id, title, body, created_at, read }) => (
          <li key={id} class={read ? 'entry' : 'entry unread'}>
            <p>
              <strong>{title}</strong> <span class="muted number">{momentOf(created_at)}</span>
            </p>
            <p class="text">{body}</p>
            {!read && !past && (
              <Button kind="small" label={`Mark as read: ${title}`} act={() => markRead(id)}>
                Mark as read
              </Button>
            )}
          </li>
        )}
      />
    </Card>
  )
}
