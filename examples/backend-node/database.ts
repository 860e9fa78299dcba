/** The database: SQLite, opened by one process. */
import { randomUUID } from 'node:crypto'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

const schema = `
  CREATE TABLE organizations (id TEXT PRIMARY KEY, name TEXT, credits INTEGER NOT NULL DEFAULT 100,
    rate_limit INTEGER, rate_window REAL, busy_until REAL NOT NULL DEFAULT 0, unavailable INTEGER NOT NULL DEFAULT 0,
    next_run_fails INTEGER NOT NULL DEFAULT 0, next_creative_fails INTEGER NOT NULL DEFAULT 0,
    answer_lost TEXT);
  CREATE TABLE keys (id TEXT PRIMARY KEY, org_id TEXT, name TEXT, prefix TEXT, hash TEXT UNIQUE, created_at TEXT,
    last_used_at TEXT, deleted_at TEXT);
  CREATE TABLE tasks (id TEXT PRIMARY KEY, org_id TEXT, text TEXT, description TEXT, status TEXT, created_at TEXT,
    started_at TEXT, finished_at TEXT);
  CREATE TABLE runs (number INTEGER PRIMARY KEY, id TEXT, org_id TEXT, task_id TEXT, status TEXT, balance INTEGER);
  CREATE TABLE refunds (charge TEXT PRIMARY KEY);
  CREATE TABLE documents (id TEXT PRIMARY KEY, org_id TEXT, title TEXT, kind TEXT, content_md TEXT, summary TEXT,
    folder_id TEXT, created_at TEXT);
  CREATE TABLE notifications (org_id TEXT, id INTEGER, text TEXT, created_at TEXT, PRIMARY KEY (org_id, id));
  CREATE TABLE read_marks (org_id TEXT, id INTEGER, PRIMARY KEY (org_id, id));
  CREATE TABLE sites (id TEXT PRIMARY KEY, org_id TEXT, business_name TEXT, version INTEGER, published INTEGER);`

/** A row of a table, by column. */
export type Row = Record<string, SQLInputValue>
/** The open database, with its queries. */
export type Database = ReturnType<typeof openDatabase>

/** The present time, ISO 8601. */
export const now = () => new Date().toISOString()

/** Opens a new database in memory. */
export function openDatabase() {
  const file = new DatabaseSync(':memory:')
  file.exec(schema)
  const all = (sql: string, ...values: unknown[]) =>
    file.prepare(sql).all(...(values as SQLInputValue[])) as Row[]
  const one = (sql: string, ...values: unknown[]) => all(sql, ...values)[0]
  /** The number of changed rows. */
  const change = (sql: string, ...values: unknown[]) =>
    Number(file.prepare(sql).run(...(values as SQLInputValue[])).changes)

  function add(table: string, fields: Record<string, unknown>): Row {
    const row = { id: randomUUID(), ...fields }
    const places = Object.keys(row).map(() => '?')
    change(`INSERT INTO ${table} (${Object.keys(row)}) VALUES (${places})`, ...Object.values(row))
    return one(`SELECT * FROM ${table} WHERE rowid = last_insert_rowid()`) as Row
  }

  function notify(org: unknown, text: string) {
    const next = 'SELECT coalesce(max(id), 0) + 1 FROM notifications WHERE org_id = ?1'
    change(`INSERT INTO notifications VALUES (?1, (${next}), ?2, ?3)`, org, text, now())
  }

  const organization = (id: unknown) => one('SELECT * FROM organizations WHERE id = ?', id) as Row
  const set = (org: unknown, field: string, value: unknown) =>
    change(`UPDATE organizations SET ${field} = ? WHERE id = ?`, value, org)

  return { file, all, one, change, add, notify, organization, set }
}
