import { MemorySaver } from '@langchain/langgraph-checkpoint'
import { describe, expect, it } from 'vitest'
import { makeAnswerRuns } from '../../../graphs/answer/answer-runs.ts'
import { ratePairByScore } from '../../../graphs/answer/comparison/pair-judges.ts'
import { widenSchema } from '../../../src/databases/schema-linking/link-schema.ts'
import type { DraftPath } from '../../../src/domain/candidate.ts'
import { ModelError } from '../../../src/domain/errors.ts'
import type { DecidePairWinner, PairInput } from '../../../src/domain/selection/pairwise.ts'
import { probePair } from '../../../src/ranking/probes/probe-pair.ts'
import { makeMemoryResults, makeMemoryRunStore } from '../../../src/store/in-memory.ts'
import { type AnswerParts, answerDeps } from '../../helpers/answer-deps.ts'
import { selectionParts } from '../../helpers/selection-parts.ts'
import { openSqliteDatabase } from '../open-sqlite-database.ts'

const database = openSqliteDatabase(
  'harbour',
  `
  create table boats (id integer primary key, name text, home_port text, length real);
  insert into boats values (1, 'Alba', 'Kiel', 9.5), (2, 'Brisa', 'Kiel', 12), (3, 'Cyan', 'Bergen', 7);
`,
)

const all = 'select count(*) from boats'

const kiel = "select count(*) from boats where home_port = 'Kiel'"

const long = 'select count(*) from boats where length > 10'

const usage = { modelCalls: 1, promptTokens: 100, completionTokens: 10 }

/** A path that writes one of the statements at a time, in this order. */
const drafting = (...statements: readonly string[]): DraftPath => ({
  name: 'divide-and-conquer',
  cost: 'model',
  samples: statements.length,
  draft: async ({ sample }) => ({
    kind: 'statements',
    drafts: [
      {
        sql: statements[sample]!,
        lineage: `m${sample}`,
        prior: 0.5,
        decisions: [],
        assumptions: [],
        unused: null,
      },
    ],
    usage,
  }),
})

/** A judge who prefers statements in this order, wherever they stand, and who keeps what it was asked. */
const preferring = (...order: readonly string[]): { judge: DecidePairWinner; asked: PairInput[] } => {
  const asked: PairInput[] = []
  return {
    asked,
    judge: async input => {
      asked.push(input)
      const isFirst = order.indexOf(input.first.sql) < order.indexOf(input.second.sql)
      return { winner: isFirst ? 'first' : 'second', reason: 'it answers the question', usage }
    },
  }
}

const answer = async (
  mode: 'full' | 'adaptive',
  statements: readonly string[],
  judge: DecidePairWinner | null,
  given: Partial<AnswerParts> & { readonly signal?: AbortSignal } = {},
) => {
  const { signal, ...deps } = given
  const results = makeMemoryResults()
  const runs = makeAnswerRuns(
    answerDeps({
      database: async () => database(),
      understand: (text, clock) => ({
        kind: 'data',
        text,
        spans: [],
        today: clock.now().toISOString().slice(0, 10),
        timeZone: clock.timeZone,
      }),
      linkSchema: async () => ({ tables: [{ table: 'boats', keep: 'all' }] }),
      widenSchema,
      paths: [drafting(...statements)],
      fixers: [],
      ...selectionParts,
      drafting: { mode, mostDrafts: statements.length },
      pairwise: { judge, rate: ratePairByScore },
      findClarification: () => null,
      runStore: makeMemoryRunStore(),
      saveResult: results.save,
      loadResult: results.load,
      thresholds: { answer: 0, ask: 0.2 },
      ...deps,
    }),
    new MemorySaver(),
  )
  const question = {
    id: 'q1',
    key: 'q1',
    text: 'how many boats of Kiel?',
    database: 'harbour',
    askedAt: new Date('2026-03-02T10:00:00Z'),
    timeZone: 'UTC',
    askedBy: null,
  }
  return runs.start(question, signal ? { signal } : {})
}

const chosen = ({ outcome }: Awaited<ReturnType<typeof answer>>) =>
  outcome.status === 'answered' ? outcome.sql : outcome.status

describe('comparing groups in the full mode', () => {
  it('asks about every pair in both orders and answers with who wins most', async () => {
    const { judge, asked } = preferring(long, kiel, all)
    const report = await answer('full', [all, all, kiel, kiel, long], judge)
    expect(chosen(report)).toBe(long)
    expect(asked.map(({ first, second }) => [first.sql, second.sql])).toHaveLength(6)
  })

  it('pays for judgements and keeps them in the trace', async () => {
    const { judge } = preferring(kiel, all)
    const report = await answer('full', [all, all, kiel], judge)
    expect(report.usage).toEqual({ modelCalls: 5, promptTokens: 500, completionTokens: 50 })
    expect(report.trace?.comparisons).toMatchObject([
      { first: expect.stringContaining('00.00'), second: expect.stringContaining('02.00'), winner: 'second' },
      { winner: 'first', by: 'model', reason: 'it answers the question' },
    ])
  })

  it('shows the judge the union of what both statements read, and both results', async () => {
    const { judge, asked } = preferring(kiel, long)
    await answer('full', [kiel, `${long} and name <> ''`], judge)
    const [input] = asked
    const keep = input?.linked.tables.find(({ table }) => table === 'boats')?.keep
    expect(keep).toEqual(expect.arrayContaining(['home_port', 'length', 'name']))
    expect([input?.first.result?.rows, input?.second.result?.rows]).toEqual([[[2]], [[1]]])
  })

  it('is never sure of an answer against the vote', async () => {
    const { judge } = preferring(kiel, all)
    const against = await answer('full', [all, all, all, all, kiel], judge)
    expect(against.outcome).toMatchObject({ status: 'answered', sql: kiel })
    expect(against.outcome.status === 'answered' && against.outcome.confidence).toBeLessThanOrEqual(0.5)
    const withVote = await answer('full', [all, all, all, all, kiel], preferring(all, kiel).judge)
    const unasked = await answer('full', [all, all, all, all, kiel], null, { pairwise: null })
    expect(withVote.outcome).toEqual({ ...unasked.outcome, resultId: expect.any(String) })
  })

  it('answers as without a judge when the judge fails, and what that cost is counted', async () => {
    const failing: DecidePairWinner = async () => {
      throw new ModelError('model-failed', 'the endpoint is down', { usage })
    }
    const report = await answer('full', [all, all, kiel], failing)
    expect(chosen(report)).toBe(all)
    expect(report.usage.modelCalls).toBe(5)
    expect(report.trace?.comparisons.map(({ by, reason }) => `${by}: ${reason}`)).toEqual([
      'vote: the endpoint is down',
      'vote: the endpoint is down',
    ])
  })

  it('asks no more once the budget is spent', async () => {
    let asked = 0
    const broke: DecidePairWinner = async () => {
      asked += 1
      throw new ModelError('budget-spent', 'no money', { usage: { ...usage, modelCalls: 0 } })
    }
    const statements = Array.from({ length: 8 }, (_, at) => `select ${at} from boats`)
    const report = await answer('full', statements, broke)
    // Those that were under way when the first came back are four pairs.
    expect(asked).toBeLessThanOrEqual(8)
    expect(chosen(report)).toBe(statements[0])
  })

  it('stops when it is told to', async () => {
    const stop = new AbortController()
    const slow: DecidePairWinner = async () => {
      stop.abort(new Error('enough'))
      throw new ModelError('cancelled', 'stopped', { usage })
    }
    await expect(answer('full', [all, kiel], slow, { signal: stop.signal })).rejects.toThrow()
  })
})

describe('who competes in full mode', () => {
  /** What the parser reads, without a model. */
  const freePath = (...readings: readonly string[]): DraftPath => ({
    name: 'semantic-parser',
    cost: 'free',
    samples: 1,
    draft: async () => ({
      kind: 'statements',
      drafts: readings.map(sql => ({
        ...{ sql, lineage: 'semantic-parser', prior: 0.1, decisions: [], assumptions: [], unused: null },
      })),
      usage: { ...usage, modelCalls: 0 },
    }),
  })

  it('leaves what only the parser says out of the comparisons', async () => {
    const { judge, asked } = preferring(long, kiel, all)
    const report = await answer('full', [all, kiel], judge, {
      paths: [freePath(long), drafting(all, kiel)],
    })
    expect(chosen(report)).toBe(kiel)
    expect(asked.map(({ first, second }) => [first.sql, second.sql])).toEqual([
      [all, kiel],
      [kiel, all],
    ])
  })

  it('lets a result win at once that all drafts agree on, whatever the parser says', async () => {
    const { judge, asked } = preferring(long, all)
    const report = await answer('full', [all, all], judge, { paths: [freePath(long), drafting(all, all)] })
    expect([chosen(report), asked.length]).toEqual([all, 0])
    expect(report.trace?.steps.map(({ step }) => step)).not.toContain('compare-groups')
  })

  it('counts only drafts of models as votes', async () => {
    // Each order goes to the one that comes first: a tie, which more votes break.
    const placed: DecidePairWinner = async () => ({ winner: 'first', reason: 'it comes first', usage })
    const verified: DraftPath = { ...freePath(kiel), name: 'verified-example' }
    const report = await answer('full', [all, all, all, kiel, kiel], placed, {
      paths: [freePath(kiel), verified, drafting(all, all, all, kiel, kiel)],
    })
    expect(chosen(report)).toBe(all)
  })

  it('asks nothing about a pair that the ranking is all but sure of', async () => {
    const { judge, asked } = preferring(kiel, all)
    const sure = { pairwise: { judge, rate: (first: { rank: number }) => (first.rank === 0 ? 0.96 : 0.04) } }
    const report = await answer('full', [all, all, kiel], judge, sure)
    expect([chosen(report), asked.length]).toEqual([all, 0])
    expect(report.trace?.comparisons).toMatchObject([{ winner: 'first', by: 'scorer' }])
  })

  it.each([
    ['full', false, 'answered'],
    ['full', true, 'needs-clarification'],
    ['adaptive', false, 'needs-clarification'],
  ] as const)('in %s mode, told to ask: %s, ends as %s', async (mode, askInFullMode, status) => {
    const { judge } = preferring(all, kiel)
    const report = await answer(mode, [all, kiel], judge, {
      findClarification: () => ({
        clarification: { question: 'All of them?', options: [], defaultOption: 0 },
        gain: 1,
        value: 0.5,
        use: 'ask',
      }),
      thresholds: { answer: 0, ask: 0.2, askInFullMode },
    })
    expect(report.outcome.status).toBe(status)
  })
})

describe('comparing groups in the adaptive mode', () => {
  it('asks only about leading results that are near one another', async () => {
    const { judge, asked } = preferring(kiel, all)
    expect(chosen(await answer('adaptive', [all, kiel], judge))).toBe(kiel)
    expect(asked).toHaveLength(2)
  })

  it('asks nothing about a result that everybody agrees on, and takes no step for it', async () => {
    const { judge, asked } = preferring(all)
    const report = await answer('adaptive', [all, all, all], judge)
    expect([chosen(report), asked.length]).toEqual([all, 0])
    expect(report.trace?.steps.map(({ step }) => step)).not.toContain('compare-groups')
  })

  it('takes a local scorer at its word where it is sure, and no model', async () => {
    const { judge, asked } = preferring(all, kiel)
    const report = await answer('adaptive', [all, kiel], judge, {
      pairwise: {
        judge,
        rate: (first, second) =>
          first.representative.sql === kiel ? 0.95 : second.representative.sql === kiel ? 0.05 : 0.5,
      },
    })
    expect([chosen(report), asked.length]).toEqual([kiel, 0])
    expect(report.trace?.comparisons).toMatchObject([{ winner: 'second', by: 'scorer' }])
  })
})

describe('probing before a judge is asked', () => {
  const nowhere = "select name from boats where home_port = 'Nowhere'"
  const names = "select name from boats where home_port = 'Kiel'"

  it.each(['full', 'adaptive'] as const)('settles a pair in the %s mode for no judgement', async mode => {
    const { judge, asked } = preferring(nowhere, names)
    const report = await answer(mode, [nowhere, names], judge, {
      pairwise: { judge, rate: () => 0.5, probe: probePair },
    })
    expect([chosen(report), asked.length]).toEqual([names, 0])
    expect(report.trace?.comparisons).toMatchObject([
      { by: 'probe', reason: expect.stringMatching(/^the other finds nothing/) },
    ])
    // Two drafts, and nothing for comparing them.
    expect(report.usage.modelCalls).toBe(2)
  })

  it('runs what it looks up in the database itself', async () => {
    const held = "select count(*) from boats where home_port <> 'Kiel'"
    const unheld = "select count(*) from boats where home_port <> 'kiel port'"
    const { judge, asked } = preferring(unheld, held)
    const report = await answer('full', [unheld, unheld, held], judge, {
      pairwise: { judge, rate: ratePairByScore, probe: probePair },
    })
    expect([chosen(report), asked.length]).toEqual([held, 0])
    expect(report.trace?.comparisons[0]?.reason).toMatch(/^looked up whether .*“Kiel” a home_port of boats$/)
  })

  it('leaves a pair that it cannot tell apart to the judge', async () => {
    const { judge, asked } = preferring(kiel, all)
    const report = await answer('full', [all, kiel], judge, {
      pairwise: { judge, rate: ratePairByScore, probe: probePair },
    })
    expect([chosen(report), asked.length]).toEqual([kiel, 2])
  })

  it('goes on with the judge where looking fails, and stops when it is told to', async () => {
    const { judge, asked } = preferring(kiel, all)
    const failing = await answer('full', [all, kiel], judge, {
      pairwise: { judge, rate: ratePairByScore, probe: () => Promise.reject(new Error('no such table')) },
    })
    expect([chosen(failing), asked.length]).toEqual([kiel, 2])
    const stop = new AbortController()
    const stopping = () => {
      stop.abort(new Error('enough'))
      return Promise.reject(new Error('cancelled'))
    }
    await expect(
      answer('full', [all, kiel], judge, {
        pairwise: { judge, rate: ratePairByScore, probe: stopping },
        signal: stop.signal,
      }),
    ).rejects.toThrow()
  })
})
