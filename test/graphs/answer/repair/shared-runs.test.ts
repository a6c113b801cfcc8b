import { describe, expect, it } from 'vitest'
import type { Draft, DraftPath, FixSql } from '../../../../src/domain/candidate.ts'
import type { Database } from '../../../../src/domain/database.ts'
import { SqlError } from '../../../../src/domain/errors.ts'
import { noModelUsage } from '../../../../src/domain/operations/usage.ts'
import { openSqliteDatabase } from '../../open-sqlite-database.ts'
import { asked, draft, openHarborRuns, pathOf } from '../harbor-runs.ts'

const harborRuns = openHarborRuns()

const harbor = openSqliteDatabase(
  'harbour',
  `create table boats (id integer primary key, name text);
   insert into boats values (1, 'Alba'), (2, 'Brisa'), (3, 'Cyan');`,
)

/** The harbor with a list of the statements that reached it; `failing` ends a statement in its place. */
const counted = (failing: (sql: string, at: number) => Error | null = () => null) => {
  const sent: string[] = []
  const database = (): Database => {
    const real = harbor()
    return {
      ...real,
      run: async (guarded, options) => {
        sent.push(guarded.sql)
        const error = failing(guarded.sql, sent.length)
        if (error) throw error
        return real.run(guarded, options)
      },
    }
  }
  return { sent, database: async () => database() }
}

const boats = 'select count(*) as boats from boats'

const spellings = [boats, `${boats};`, 'select  count(*) as boats\nfrom boats ; ']

/** A path of a model that writes one of the statements a sample. */
const samplesOf = (statements: readonly string[]): DraftPath => ({
  name: 'query-plan',
  cost: 'model',
  samples: statements.length,
  draft: async ({ sample }) => ({
    kind: 'statements',
    drafts: [draft(statements[sample]!, { lineage: `m${sample}`, unused: null })],
    usage: noModelUsage,
  }),
})

const full = (statements: readonly string[]) =>
  ({
    paths: [samplesOf(statements)],
    drafting: { mode: 'full', mostDrafts: statements.length },
  }) as const

describe('equal statements of one question', () => {
  it('run once, also when their branches run at the same time', async () => {
    const { sent, database } = counted()
    const { runs } = harborRuns({ database, ...full(spellings) })
    const { outcome, candidates } = await runs.start(asked('how many boats?'))
    expect(outcome.status).toBe('answered')
    expect(sent).toEqual([boats])
    expect(candidates.map(({ run }) => run)).toHaveLength(3)
    expect(new Set(candidates.map(({ run }) => run?.status === 'ran' && run.resultId)).size).toBe(1)
    expect(new Set(candidates.map(({ run }) => run?.status === 'ran' && run.groupKey)).size).toBe(1)
  })

  it('each keep their vote', async () => {
    const { runs } = harborRuns({ ...full([...spellings, 'select 7']) })
    const { trace } = await runs.start(asked('how many boats?'))
    expect(trace?.groups[0]?.candidateIds).toHaveLength(3)
  })

  it('share a failure, and what repairs it', async () => {
    const { sent, database } = counted()
    const fix: FixSql = async () => ({ sql: boats, usage: noModelUsage })
    const { runs } = harborRuns({
      database,
      ...full(['select nope from boats', 'select nope  from boats;']),
      fixers: [fix],
    })
    const { candidates } = await runs.start(asked('how many boats?'))
    expect(candidates.map(({ sql, repairs }) => [sql, repairs.length])).toEqual([
      [boats, 1],
      [boats, 1],
    ])
    expect(sent).toEqual(['select nope from boats', boats])
  })

  it('run again if the database was away', async () => {
    const { sent, database } = counted((_, at) =>
      at === 1 ? new SqlError('connection', 'The server is away.') : null,
    )
    const { runs } = harborRuns({
      database,
      paths: [samplesOf([boats, boats])],
      drafting: { mode: 'adaptive', mostDrafts: 2 },
      decideDrafting: () => ({ continues: true, gain: 1, reason: 'go on' }),
    })
    const { candidates } = await runs.start(asked('how many boats?'))
    expect(candidates.map(({ run }) => run?.status)).toEqual(['failed', 'ran'])
    expect(sent).toHaveLength(2)
  })

  it('run for each question', async () => {
    const { sent, database } = counted()
    const { runs } = harborRuns({ database, ...full([boats]) })
    await runs.start(asked('how many boats?'))
    await runs.start(asked('how many boats?'))
    expect(sent).toHaveLength(2)
  })
})

describe('after a question back', () => {
  const choice = (choice: string) => ({ phrase: 'name', kind: 'column', choice, label: choice }) as const

  const names = draft('select name from boats', { prior: 0.4, decisions: [choice('a')] })

  const ids = draft('select id from boats', { prior: 0.35, decisions: [choice('b')] })

  const drafts = (question: string): Draft[] =>
    question.includes('(')
      ? [draft('select  name from boats;', { prior: 0.9 }), draft('select nope  from boats')]
      : [names, ids, draft('select nope from boats', { prior: 0.1 })]

  it.each(['remembers them', 'has been restarted'])(
    'statements of before do not run again in a process that %s',
    async how => {
      const { sent, database } = counted()
      const parts = harborRuns({ database, paths: [pathOf(drafts)] })
      const question = asked('boats by name')
      expect((await parts.runs.start(question)).outcome.status).toBe('needs-clarification')
      const before = [...sent]
      const after = how === 'remembers them' ? parts.runs : parts.restarted().runs
      const { outcome, candidates } = await after.resume(question.id, { kind: 'text', text: 'by the name' })
      expect(outcome).toMatchObject({ status: 'answered', sql: 'select  name from boats;' })
      expect(sent).toEqual(before)
      expect(candidates.at(-1)?.run).toMatchObject({ status: 'failed', errorClass: 'unknown-column' })
    },
  )
})
