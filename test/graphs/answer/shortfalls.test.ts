import { expect, it } from 'vitest'
import { makeJudgeWithModel, ratePairByScore } from '../../../graphs/answer/comparison/pair-judges.ts'
import { makeDivideAndConquerPath } from '../../../graphs/answer/drafting/model-paths.ts'
import { makeFixWithModel } from '../../../graphs/answer/repair/fix-with-model.ts'
import { findShortfalls } from '../../../graphs/answer/shortfalls.ts'
import { renderDdl } from '../../../src/databases/catalog/render-schema.ts'
import { shortfallText } from '../../../src/domain/answer-wording/shortfalls.ts'
import { noModelUsage } from '../../../src/domain/operations/usage.ts'
import { makeAskModel } from '../../../src/llm/ask-model.ts'
import type { BudgetLimits } from '../../../src/llm/budget.ts'
import { makeModelTasks } from '../../../src/llm/call-model.ts'
import { makeAskForJudgement, makeAskForKeywords, makeAskForSql } from '../../../src/llm/model-requests.ts'
import { type Exchange, startModelServer } from '../../llm/model-server.ts'
import { asked, openHarborRuns } from './harbor-runs.ts'

const harborRuns = openHarborRuns()

const drafted = (sql: string): Exchange => ({
  reply: JSON.stringify({ parts: [], assembled: sql, redundant: [], sql, assumptions: [] }),
  usage: [100, 10],
})

const keywords: Exchange = { reply: JSON.stringify({ phrases: [] }), usage: [100, 10] }

const kiel = "select count(*) from boats where home_port = 'Kiel'"

const long = 'select count(*) from boats where length > 10'

const broken = 'select nothing_like_it from boats'

/** What one question left out, in words, with everything a model can do and a full mode of five drafts. */
const leftOut = async (
  script: readonly Exchange[],
  budget: Partial<BudgetLimits>,
  given: { readonly mode?: 'full' | 'adaptive'; readonly most?: number } = {},
) => {
  await using server = await startModelServer(script)
  const askModel = makeAskModel({
    connection: server.connection,
    tasks: makeModelTasks('some-model'),
    budget: { modelCallsPerQuestion: 50, tokensPerQuestion: 100_000, ...budget },
    sleep: async () => {},
  })
  const askForSql = makeAskForSql(askModel)
  const { mode = 'full', most = 5 } = given
  const { runs } = harborRuns({
    askForKeywords: makeAskForKeywords(askModel),
    paths: [makeDivideAndConquerPath({ askForSql, renderSchema: renderDdl, model: 'some-model' })],
    modelFixers: [makeFixWithModel({ askForSql, renderSchema: renderDdl })],
    drafting: { mode, mostDrafts: most },
    pairwise: {
      judge: makeJudgeWithModel({
        askForJudgement: makeAskForJudgement(askModel),
        renderSchema: renderDdl,
        seesRows: true,
      }),
      rate: ratePairByScore,
    },
    thresholds: { answer: 0, ask: 1 },
  })
  const { outcome, trace } = await runs.start(asked('how many boats of zorblax are there?'))
  expect(outcome.status).toBe('answered')
  return (trace?.shortfalls ?? []).map(shortfallText)
}

const limitReached = "the question's limit of 4 model calls was reached"

it('says which drafts and comparisons a limit of calls left out, with the numbers', async () => {
  const script = [keywords, drafted(kiel), drafted(long), drafted(kiel)]
  expect(await leftOut(script, { modelCallsPerQuestion: 4 })).toEqual([
    `2 of 5 drafts were left out: ${limitReached}.`,
    `1 of 1 comparison was made without a model: ${limitReached}.`,
  ])
})

it('says which repairs were not tried', async () => {
  const script = [keywords, drafted(kiel), drafted(broken), drafted(kiel)]
  expect(await leftOut(script, { modelCallsPerQuestion: 4 }, { most: 3 })).toEqual([
    `1 repair by a model was not tried: ${limitReached}.`,
  ])
})

it('says that a model failed and rules found the keywords', async () => {
  const away: Exchange = { reply: 'no JSON', usage: [10, 1] }
  const script = [away, away, drafted(kiel), drafted(kiel)]
  expect(await leftOut(script, {}, { most: 2 })).toEqual([
    'No model looked for more keywords: the model could not be reached or gave no usable reply.',
  ])
})

it('says nothing if nothing was left out', async () => {
  expect(await leftOut([keywords, drafted(kiel), drafted(kiel)], {}, { most: 2 })).toEqual([])
})

it('says that drafting ended at its limit only if another draft was worth it', () => {
  const wave = { round: 0, wave: 1, drafts: [], probability: 0.4, gain: 0.1, reason: 'all 2 drafts are made' }
  const of = (waves: readonly (typeof wave & { readonly cappedAt?: number })[]) =>
    findShortfalls({ waves, failures: [], candidates: [], comparisons: [], usage: noModelUsage }, [])
  expect(of([wave])).toEqual([])
  expect(of([{ ...wave, cappedAt: 2 }])).toMatchObject([{ work: 'further-drafts', count: 2 }])
})

it('counts free paths neither as drafts nor as failures', () => {
  const paths = [
    { name: 'semantic-parser', cost: 'free' },
    { name: 'query-plan', cost: 'model' },
  ] as const
  const drafts = paths.flatMap(({ name }) => [0, 1].map(sample => ({ path: name, sample })))
  const failures = drafts.map(draft => ({ ...draft, message: 'x', code: 'model-failed' as const }))
  const waves = [{ round: 0, wave: 0, drafts, probability: 0, gain: null, reason: '' }]
  expect(
    findShortfalls(
      { waves, failures: failures.slice(0, 3), candidates: [], comparisons: [], usage: noModelUsage },
      paths,
    ),
  ).toMatchObject([{ work: 'drafts', count: 1, of: 2, why: 'model-failed' }])
})
