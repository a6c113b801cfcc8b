import { describe, expect, it } from 'vitest'
import { maintenanceRunContext } from '../../src/audit/run-contexts.ts'
import { type AuditSink, makeStatementAudit } from '../../src/audit/statement-audit.ts'
import type { ReserveUsage } from '../../src/budget/reserve-usage.ts'
import type {
  AuditedStatement,
  EndedStatement,
  StatementEnd,
  StatementRecord,
} from '../../src/domain/operations/audit.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'

const statement: AuditedStatement = {
  ...{ database: 'shop', dialect: 'sqlite', kind: 'run', purpose: 'people', sql: 'select 1' },
}

const end: StatementEnd = { verdict: 'ran', errorClass: null, rows: 1, bytes: 8, milliseconds: 2 }

const open = (
  book: Partial<AuditSink> = {},
  now = () => new Date('2026-03-02T10:00:00Z'),
  reserveReading?: ReserveUsage,
) => {
  const inserts: (readonly StatementRecord[])[] = []
  const finishes: (readonly EndedStatement[])[] = []
  const audit = makeStatementAudit({
    sink: {
      insert: async records => void inserts.push(records),
      finish: async ends => void finishes.push(ends),
      advice: 'Look at it.',
      isLocal: false,
      ...book,
    },
    currentContext: () => maintenanceRunContext('command', 'ada'),
    shell: null,
    ...(reserveReading && { reserveUsage: reserveReading }),
    now,
    log: silentLog,
  })
  return { audit, inserts, finishes }
}

describe('an audit in batches', () => {
  it('writes statements that start together in one round trip, and their ends in another', async () => {
    const { audit, inserts, finishes } = open()
    const ends = await Promise.all(Array.from({ length: 25 }, () => audit.begin(statement)))
    expect(inserts.map(({ length }) => length)).toEqual([25])
    for (const tell of ends) tell(end)
    await audit.flush()
    expect(finishes.map(({ length }) => length)).toEqual([25])
    expect(finishes.flat().map(({ id }) => id)).toEqual(inserts.flat().map(({ id }) => id))
  })

  it('does not allow a statement it cannot record, and allows the next when the store is back', async () => {
    let isAway = true
    const { audit } = open({
      insert: async () => {
        if (isAway) throw new Error('connect ECONNREFUSED')
      },
    })
    await expect(audit.begin(statement)).rejects.toMatchObject({
      code: 'store-unavailable',
      message: expect.stringContaining("didn't run the query"),
    })
    isAway = false
    await expect(audit.begin(statement)).resolves.toBeTypeOf('function')
  })

  it('records a statement stopped before sending as canceled', async () => {
    const stop = new AbortController()
    const { audit, inserts, finishes } = open({ insert: async () => stop.abort() })
    await expect(audit.begin(statement, { signal: stop.signal })).rejects.toThrow()
    await audit.flush()
    expect(inserts).toEqual([])
    expect(finishes.flat()).toMatchObject([{ verdict: 'cancelled', milliseconds: 0 }])
  })

  it('does not stop profiling while the store is unavailable', async () => {
    const { audit } = open({
      insert: async () => {
        throw new Error('connect ECONNREFUSED')
      },
    })
    const tell = await audit.begin({ ...statement, purpose: 'index' })
    tell(end)
    await audit.flush()
  })

  it('keeps ends while the store is briefly unavailable', async () => {
    let isAway = true
    const finished: EndedStatement[] = []
    const { audit } = open({
      finish: async ends => {
        if (isAway) throw new Error('connect ECONNREFUSED')
        finished.push(...ends)
      },
    })
    const tell = await audit.begin(statement)
    tell(end)
    await audit.flush()
    expect(finished).toEqual([])
    isAway = false
    await audit.flush()
    expect(finished).toMatchObject([{ verdict: 'ran', rows: 1 }])
  })

  it('releases the reservation of an end that was dropped', async () => {
    const [reserved, settled]: [string[], string[]] = [[], []]
    const reading = { rows: 10, milliseconds: 100 }
    const { audit } = open(
      {
        finish: async () => {
          throw new Error('connect ECONNREFUSED')
        },
      },
      undefined,
      {
        reserve: async ({ id }) => {
          reserved.push(id)
          return { status: 'granted', usage: reading, timeoutError: null }
        },
        settled: ids => void settled.push(...ids),
        isAwaited: () => false,
        onAwaited: () => {},
      },
    )
    const tell = await audit.begin({ ...statement, caps: { maxRows: 10, timeoutMs: 100 } })
    tell(end)
    // While it is away a database is measured, which waits for nobody.
    const index = await Promise.all(
      Array.from({ length: 20_000 }, () => audit.begin({ ...statement, purpose: 'index' })),
    )
    await audit.flush()
    expect(settled).toEqual([])
    for (const tell of index) tell(end)
    await audit.flush()
    expect(reserved).toHaveLength(1)
    expect(settled).toEqual(reserved)
  })

  it('writes every end once, also when it is flushed while ends are written', async () => {
    const gate = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const finished: string[] = []
    const { audit } = open({
      finish: async ends => {
        begun.resolve()
        await gate.promise
        finished.push(...ends.map(({ id }) => id))
      },
    })
    const tell = await audit.begin(statement)
    tell(end)
    await begun.promise
    const flushes = [audit.flush(), audit.flush()]
    const next = await audit.begin(statement)
    next(end)
    gate.resolve()
    await Promise.all(flushes)
    await audit.flush()
    expect(finished).toHaveLength(2)
    expect(new Set(finished).size).toBe(2)
  })

  it('records a refusal once, however often the statement is checked', async () => {
    const { audit, inserts } = open()
    const refused = { database: 'shop', dialect: 'sqlite', purpose: 'people', sql: 'drop table t' } as const
    audit.refused(refused, 'DROP is not allowed')
    audit.refused(refused, 'DROP is not allowed')
    await audit.flush()
    expect(inserts.flat()).toMatchObject([
      { verdict: 'refused', reason: 'DROP is not allowed', person: 'ada', milliseconds: null },
    ])
  })

  it('records it again when it is retried later, as in a digest', async () => {
    let at = new Date('2026-03-02T10:00:00Z')
    const { audit, inserts } = open({}, () => at)
    const refused = { database: 'shop', dialect: 'sqlite', purpose: 'people', sql: 'drop table t' } as const
    for (const moment of ['2026-03-02T10:00:00Z', '2026-03-02T10:05:00Z', '2026-03-03T10:00:00Z']) {
      at = new Date(moment)
      audit.refused(refused, 'DROP is not allowed')
    }
    await audit.flush()
    expect(inserts.flat().map(record => record.at.toISOString())).toEqual([
      '2026-03-02T10:00:00.000Z',
      '2026-03-03T10:00:00.000Z',
    ])
  })

  it('records profiling statements for no person, no matter who caused them', async () => {
    const { audit, inserts } = open()
    await audit.begin({ ...statement, purpose: 'index' })
    await audit.flush()
    expect(inserts.flat()).toMatchObject([{ origin: 'index', person: null, verdict: 'started' }])
  })
})
