/** The rows that an organization holds. Times are ms since the epoch; ids are strings. */
import type { Run } from './agent.ts'

/** §2 Task, with its latest run: the status of a task is derived from it. */
export interface Task {
  readonly id: string
  readonly text: string
  readonly description: string | null
  readonly scheduled_at: number | null
  readonly created_at: number
  run: Run | null
}

/** §2 API key. The secret is what a client sends; only the creation answer shows it. */
export interface Key {
  readonly id: string
  readonly name: string
  readonly secret: string
  readonly created_at: number
  last_used_at: number | null
  deleted: boolean
}

/** §2 Document. */
export interface Document {
  readonly id: string
  readonly title: string
  readonly kind: string | null
  readonly content_md: string | null
  readonly summary: string | null
  readonly folder_id: string | null
  readonly created_at: number
}

/** §2 Notification. */
export interface Notification {
  readonly id: string
  readonly type: string
  readonly title: string
  readonly body: string
  readonly task_id: string | null
  readonly created_at: number
  read: boolean
}

/** §2 Prospect. */
export interface Prospect {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly phone: string | null
  readonly created_at: number
  readonly campaign: string | null
}

/** A generated creative and what it was generated from (§4 Extended route set). */
export interface Creative {
  readonly id: string
  readonly prompt: string
  readonly width: number
  readonly height: number
  readonly hue: number
  readonly created_at: number
}

/** §2 Landing page site. */
export interface LandingPage {
  readonly id: string
  readonly business_name: string
  readonly subdomain: string
  readonly page_type: string
  readonly spec: unknown
  readonly strategy: unknown
  readonly version: number
  readonly published: boolean
  readonly created_at: number
}

/** A campaign of the connected ad account. */
export interface Campaign {
  readonly id: string
  readonly name: string
  readonly status: 'ACTIVE' | 'PAUSED'
  readonly daily_budget: number
  readonly created_at: number
}

/** Plan and money of the organization; read-only over the API (§1). */
export interface Account {
  readonly plan: string
  readonly balance: number
  readonly currency: string
  readonly card_last4: string
}
