import { describe, expect, it } from 'vitest'
import { SqlError } from '../../src/domain/errors.ts'
import type { RunContext, StatementAudit } from '../../src/domain/operations/audit.ts'
import { withStatementMetrics } from '../../src/telemetry/instrumentation.ts'

const statement = { database: 'shop', dialect: 'postgres', kind: 'run', sql: "select 'Jane Doe'" } as const

const open = (
  audit: Partial<StatementAudit> = {},
  context: Partial<RunContext> | null = { origin: 'digest' },
) => {
  const counted: unknown[] = []
  const ends: unknown[] = []
  const counting = withStatementMetrics(
    { begin: async () => end => void ends.push(end), refused: () => {}, ...audit },
    {
      metrics: { statement: given => void counted.push(given) },
      currentContext: () => context as RunContext | null,
    },
  )
  return { counting, counted, ends }
}

describe('statements', () => {
  it('are counted with how they ended, by what they ran for', async () => {
    const { counting, counted, ends } = open()
    const end = await counting.begin({ ...statement, purpose: 'people' })
    end({ verdict: 'cut', errorClass: null, rows: 20, bytes: 100, milliseconds: 5 })
    expect(counted).toEqual([{ origin: 'digest', verdict: 'cut', rows: 20, milliseconds: 5 }])
    expect(ends).toHaveLength(1)
  })

  it('that measure a database count as such, and those of nobody as unattributed', async () => {
    const { counting, counted } = open({}, null)
    const given = { verdict: 'ran', errorClass: null, rows: null, bytes: null, milliseconds: 1 } as const
    for (const purpose of ['index', 'people'] as const)
      (await counting.begin({ ...statement, purpose }))(given)
    expect(counted).toMatchObject([{ origin: 'index', rows: 0 }, { origin: 'unattributed' }])
  })

  it('that are refused are counted as refused', () => {
    const { counting, counted } = open()
    counting.refused({ ...statement, purpose: 'people' }, 'it writes')
    expect(counted).toEqual([{ origin: 'digest', verdict: 'refused', rows: 0, milliseconds: 0 }])
  })

  it('that a budget holds back are counted as refused', async () => {
    const { counting, counted } = open({
      begin: () => Promise.reject(new SqlError('over-budget', 'The limit is reached.')),
    })
    await expect(counting.begin({ ...statement, purpose: 'people' })).rejects.toThrow('The limit')
    expect(counted).toEqual([{ origin: 'digest', verdict: 'refused', rows: 0, milliseconds: 0 }])
  })

  it('that must not be sent are not counted as sent', async () => {
    const { counting, counted } = open({ begin: () => Promise.reject(new Error('the store is away')) })
    await expect(counting.begin({ ...statement, purpose: 'people' })).rejects.toThrow('the store is away')
    expect(counted).toEqual([])
  })
})
