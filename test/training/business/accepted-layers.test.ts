import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type BusinessDatabase,
  buildDatabase,
  databaseNames,
  loadDatabase,
  writeSettings,
} from '../../../training/business/build-databases.ts'
import { runCli } from '../../helpers/cli/run-cli.ts'

const fixtures = fileURLToPath(new URL('../../../fixtures/business/', import.meta.url))
const names = databaseNames(fixtures)

let folder: string

const run = async (...args: string[]) => {
  const { status, out } = await runCli([...args, '--json'], { folder, home: join(folder, 'home') })
  return { status, value: JSON.parse(out) }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'querent-test-'))
  const databases = new Map<string, { engine: BusinessDatabase['engine']; folder: string }>()
  for (const name of names) {
    const database = await loadDatabase(fixtures, name)
    await buildDatabase(folder, name, database)
    databases.set(name, { engine: database.engine, folder })
  }
  writeSettings(folder, fixtures, databases)
})

afterAll(() => rmSync(folder, { recursive: true }))

describe('accepted layers of the business databases', { timeout: 120_000 }, () => {
  it.each(names)('%s: fits its database', async name => {
    const { status, value } = await run('semantic', 'check', '--database', name)
    expect(value).toMatchObject({ database: name, problems: [], notes: [] })
    expect(status).toBe(0)
    expect(value.metrics.accepted).toBeGreaterThanOrEqual(10)
    expect(value.segments.accepted).toBeGreaterThanOrEqual(5)
  })

  it('are what questions are answered by: MRR leaves out trials and what was canceled', async () => {
    const { value } = await run('ask', 'what is our MRR?', '--database', 'saas')
    const saas = new DatabaseSync(join(folder, 'saas.sqlite'), { readOnly: true })
    const sumOf = (where: string): unknown =>
      Object.values(saas.prepare(`SELECT sum(mrr_cents) FROM subscriptions WHERE ${where}`).get() ?? {})[0]
    expect(value).toMatchObject({
      status: 'answered',
      rows: [[sumOf("status NOT IN ('trialing', 'canceled')")]],
    })
    expect(value.rows).not.toEqual([[sumOf('true')]])
    saas.close()
  })
})
