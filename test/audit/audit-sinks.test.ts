import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { withFileFallback } from '../../src/audit/audit-sinks.ts'
import { maintenanceRunContext } from '../../src/audit/run-contexts.ts'
import { makeStatementAudit, type StatementOutcome } from '../../src/audit/statement-audit.ts'
import type { AuditedStatement, StatementEnd, StatementRecord } from '../../src/domain/operations/audit.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import { makeAuditFile, readAuditFiles } from '../../src/store/audit-file/audit-file.ts'
import { collect } from '../helpers/collect.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'querent-elsewhere-'))
  return () => rmSync(folder, { recursive: true, force: true })
})

const statement: AuditedStatement = {
  ...{ database: 'shop', dialect: 'sqlite', kind: 'run', purpose: 'people', sql: 'select 1' },
}

const measuring: AuditedStatement = { ...statement, purpose: 'index', sql: 'select count(*) from t' }

const end: StatementEnd = { verdict: 'ran', errorClass: null, rows: 1, bytes: 8, milliseconds: 2 }

/** A bot whose store is away, and comes back when it is told to. */
const open = () => {
  const inStore: StatementRecord[] = []
  const ended: StatementOutcome[] = []
  let isAway = true
  const away = async (): Promise<void> => {
    if (isAway) throw new Error('connect ECONNREFUSED')
  }
  const store = {
    insert: async (records: readonly StatementRecord[]) => away().then(() => void inStore.push(...records)),
    finish: async (ends: readonly StatementOutcome[]) => away().then(() => void ended.push(...ends)),
  }
  const file = makeAuditFile(folder, { purgeBefore: () => null })
  const audit = makeStatementAudit({
    sink: { ...withFileFallback(store, file, silentLog), advice: 'Look at it.', isLocal: false },
    currentContext: () => maintenanceRunContext('command', 'ada'),
    shell: null,
    now: () => new Date('2026-03-02T10:00:00Z'),
    log: silentLog,
  })
  return {
    ...{ audit, inStore, ended },
    goAway: () => {
      isAway = true
    },
    comeBack: () => {
      isAway = false
    },
  }
}

const inFiles = () => collect(readAuditFiles(folder, {}))

describe('a bot without its store', () => {
  it('writes profiling statements and their ends to files, even after the store is back', async () => {
    const { audit, inStore, ended, comeBack } = open()
    const before = await audit.begin(measuring)
    await audit.flush()
    expect(await inFiles()).toMatchObject([{ sql: measuring.sql, origin: 'index', verdict: 'started' }])
    comeBack()
    before(end)
    const after = await audit.begin(statement)
    after(end)
    await audit.flush()
    expect(await inFiles()).toMatchObject([{ verdict: 'ran', rows: 1 }])
    expect(inStore.map(({ sql }) => sql)).toEqual([statement.sql])
    expect(ended.map(({ id }) => id)).toEqual(inStore.map(({ id }) => id))
  })

  it('sends no statements for people while others go to the files', async () => {
    const { audit } = open()
    const { purpose, sql, database, dialect } = { ...statement, sql: 'drop table t' }
    audit.refused({ purpose, sql, database, dialect }, 'not a query')
    const [people, index] = await Promise.allSettled([audit.begin(statement), audit.begin(measuring)])
    await audit.flush()
    expect(people).toMatchObject({ status: 'rejected', reason: { code: 'store-unavailable' } })
    expect(index.status).toBe('fulfilled')
    const kept = await inFiles()
    expect(kept.map(({ sql }) => sql).sort()).toEqual(['drop table t', measuring.sql])
  })

  it('writes ends to files once, however often the store is retried', async () => {
    const { audit, ended, goAway, comeBack } = open()
    const index = await audit.begin(measuring)
    await audit.flush()
    comeBack()
    const people = await audit.begin(statement)
    goAway()
    people(end)
    index(end)
    for (const _ of [1, 2, 3]) await audit.flush()
    const lines = readFileSync(join(folder, '2026-03-02.jsonl'), 'utf8').trim().split('\n')
    expect(lines.map(line => JSON.parse(line).verdict)).toEqual(['started', 'ran'])
    comeBack()
    await audit.flush()
    expect(ended.filter(({ account }) => account !== null)).toHaveLength(1)
    expect(await inFiles()).toMatchObject([{ sql: measuring.sql, verdict: 'ran' }])
  })
})
