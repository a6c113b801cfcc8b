import { describe, expect, it } from 'vitest'
import type { DraftPath, FixSql } from '../../../../src/domain/candidate.ts'
import { asked, draft, openHarborRuns, pathOf } from '../harbor-runs.ts'

const harborRuns = openHarborRuns()

const usage = { modelCalls: 1, promptTokens: 100, completionTokens: 10 }

/** A model that repairs `from boat` alone, and the statements it was asked about. */
const modelFixer = () => {
  const asked: string[] = []
  const fix: FixSql = async ({ sql }) => {
    asked.push(sql)
    return { sql: sql.includes('from boat ') ? sql.replace('from boat ', 'from boats ') : null, usage }
  }
  return { asked, fix }
}

const wrong = 'select count(*) from boat where 1'

const right = 'select count(*) from boats where 1'

const verified = (sql: string, prior: number): DraftPath => ({
  ...pathOf(() => [draft(sql, { prior, lineage: 'verified-example' })], 'verified-example'),
  cost: 'free',
})

const ask = async (paths: readonly DraftPath[], mode: 'adaptive' | 'full' = 'adaptive') => {
  const { asked: statements, fix } = modelFixer()
  const { runs } = harborRuns({ paths, modelFixers: [fix], drafting: { mode, mostDrafts: 3 } })
  return { statements, report: await runs.start(asked('how many boats?')) }
}

describe('a model repairs', () => {
  it('what a model drafted', async () => {
    const { statements, report } = await ask([pathOf(() => [draft(wrong)], 'query-plan')])
    expect(statements).toEqual([wrong])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: right })
  })

  it('the best reading of a free path if nothing else ran', async () => {
    const { statements, report } = await ask([pathOf(() => [draft(wrong)])])
    expect(statements).toEqual([wrong])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: right })
    expect(report.candidates[0]?.repairs).toMatchObject([{ round: 1, sql: wrong }])
    expect(report.usage.modelCalls).toBe(1)
  })

  it('a best reading that ran and found nothing', async () => {
    const empty = "select name from boats where home_port = 'Rome'"
    const { statements, report } = await ask([pathOf(() => [draft(empty, { prior: 0.9 })])])
    expect(statements).toEqual([empty])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: empty })
  })

  it('of two free paths only the likelier reading', async () => {
    const { statements } = await ask([
      pathOf(() => [draft(`${wrong} and 2`, { prior: 0.3 })]),
      verified(`${wrong} and 3`, 0.7),
    ])
    expect(statements).toEqual([`${wrong} and 3`])
  })

  it('one reading once, although later drafts fail too', async () => {
    const failing: DraftPath = {
      ...pathOf(() => [], 'query-plan'),
      draft: () => Promise.reject(new Error('no model')),
    }
    const { statements } = await ask([pathOf(() => [draft('select nope from boats')]), failing])
    expect(statements).toEqual(['select nope from boats'])
  })
})

describe('a model leaves alone', () => {
  it('a reading that is not the best of its path', async () => {
    const { statements, report } = await ask([pathOf(() => [draft(right), draft(wrong, { prior: 0.5 })])])
    expect(statements).toEqual([])
    expect(report.candidates.map(({ run }) => run?.status)).toEqual(['ran', 'failed'])
  })

  it('the best reading if a later one ran', async () => {
    const { statements } = await ask([pathOf(() => [draft(wrong), draft(right, { prior: 0.5 })])])
    expect(statements).toEqual([])
  })

  it('a reading beside a draft of a model that ran', async () => {
    const { statements } = await ask(
      [pathOf(() => [draft(wrong)]), pathOf(() => [draft(right)], 'query-plan')],
      'full',
    )
    expect(statements).toEqual([])
  })

  it('a reading that a rule repaired', async () => {
    const { asked: statements, fix } = modelFixer()
    const rule: FixSql = async ({ sql }) => ({
      sql: sql.replace('from boat ', 'from boats '),
      usage: { modelCalls: 0, promptTokens: 0, completionTokens: 0 },
    })
    const { runs } = harborRuns({
      paths: [pathOf(() => [draft(wrong)])],
      fixers: [rule],
      modelFixers: [fix],
    })
    expect((await runs.start(asked('how many boats?'))).outcome).toMatchObject({ sql: right })
    expect(statements).toEqual([])
  })
})
