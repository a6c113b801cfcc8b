import { describe, expect, it } from 'vitest'
import { makeAnswerRuns } from '../../../graphs/answer/answer-runs.ts'
import { makeModelDraftPaths } from '../../../src/bootstrap/answering/drafting-and-linking.ts'
import { findClarification } from '../../../src/clarification/find-clarification.ts'
import { linkSchema, widenSchema } from '../../../src/databases/schema-linking/link-schema.ts'
import type { AskForExamples } from '../../../src/domain/candidate.ts'
import type { AskForSql, ModelRequest } from '../../../src/domain/model.ts'
import { makeRenderPrompt } from '../../../src/llm/prompts.ts'
import { makeMemoryCheckpoints } from '../../../src/store/checkpoints.ts'
import { makeMemoryResults, makeMemoryRunStore } from '../../../src/store/in-memory.ts'
import { openPottery } from '../../graphs/answer/drafting/open-pottery.ts'
import { potteryInput } from '../../graphs/answer/drafting/pottery.ts'
import { answerDeps } from '../../helpers/answer-deps.ts'
import { selectionParts } from '../../helpers/selection-parts.ts'

const studio = openPottery()

const cost = { modelCalls: 1, promptTokens: 100, completionTokens: 10 }

const right = `SELECT m.full_name FROM makers AS m JOIN pieces AS p ON p.maker_id = m.maker_id
WHERE m.city = 'Bergen' AND p.glaze_colour = 'Celadon'`

const wrong = 'SELECT full_name FROM makers'

/** Models that know these three prompts and the one for examples, and fail on any other. Query plans go wrong. */
const models = (drafters: readonly string[]) => {
  const asked: ModelRequest[] = []
  const render = makeRenderPrompt()
  const read = (request: ModelRequest): void => {
    render(request.prompt, request.variables)
    asked.push(request)
  }
  const askForSql: AskForSql = async request => {
    read(request)
    const known = ['divide-and-conquer', 'query-plan', 'online-synthetic']
    if (request.role !== 'drafter' || !known.includes(request.prompt))
      throw new Error(`nobody expects ${request.prompt} for the ${request.role}`)
    return {
      value: { sql: request.prompt === 'query-plan' ? wrong : right, assumptions: [] },
      usage: cost,
    }
  }
  const askForExamples: AskForExamples = async request => {
    read(request)
    if (request.role !== 'planner' || request.prompt !== 'make-examples')
      throw new Error(`nobody expects ${request.prompt} for the ${request.role}`)
    const features = [
      { question: 'How many studios are there?', sql: 'SELECT COUNT(*) FROM studios' },
      { question: 'Who is broken?', sql: 'SELECT broken FROM makers' },
    ]
    return { value: { features, focused: [] }, usage: cost }
  }
  return { asked, paths: makeModelDraftPaths({ askForSql, askForExamples, drafters }, { linkSchema }) }
}

describe('the three model paths', () => {
  it('are taken in turn, seven samples each, and answer together', async () => {
    const { asked, paths } = models(['big', 'small'])
    const results = makeMemoryResults()
    const runs = makeAnswerRuns(
      answerDeps({
        database: async () => studio(),
        understand: () => potteryInput('sqlite').understanding,
        linkSchema,
        widenSchema,
        paths,
        fixers: [],
        ...selectionParts,
        drafting: { mode: 'full', mostDrafts: 21 },
        findClarification,
        runStore: makeMemoryRunStore(),
        saveResult: results.save,
        loadResult: results.load,
        // Nobody is asked here: drafts are made to differ.
        thresholds: { answer: 0.3, ask: 1 },
      }),
      makeMemoryCheckpoints().checkpointer,
    )
    const report = await runs.start({
      id: 'q1',
      key: 'test:q1',
      text: potteryInput('sqlite').understanding.text,
      database: 'studio',
      askedAt: new Date('2026-11-20T12:00:00Z'),
      timeZone: 'Europe/Oslo',
      askedBy: null,
    })
    expect(report.outcome).toMatchObject({ status: 'answered', sql: right })
    expect(report.candidates).toHaveLength(21)
    // Twenty-one drafts, and the examples once for the seven that are drafted with them.
    expect(report.usage.modelCalls).toBe(22)
    expect(asked.filter(({ prompt }) => prompt === 'make-examples')).toHaveLength(1)
    expect(new Set(report.candidates.map(({ lineage }) => lineage))).toEqual(
      new Set(
        ['divide-and-conquer', 'query-plan', 'online-synthetic'].flatMap(path => [
          `${path}/big`,
          `${path}/small`,
        ]),
      ),
    )
    const synthetic = asked.filter(({ prompt }) => prompt === 'online-synthetic')
    expect(synthetic).toHaveLength(7)
    for (const { variables } of synthetic) {
      expect(variables.examples).toContain('SELECT COUNT(*) FROM studios')
      expect(variables.examples).not.toContain('broken')
    }
  })

  it('begin with other models and other renderings of the schema, and reorder it with each sample', async () => {
    const { asked, paths } = models(['a', 'b', 'c'])
    for (const path of paths)
      for (const sample of [0, 1, 2]) {
        await path.draft({
          ...potteryInput('sqlite'),
          database: studio(),
          linked: await linkSchema({ ...potteryInput('sqlite'), catalog: studio().catalog }),
          questionId: 'q2',
          sample,
        })
      }
    const drafts = asked.filter(({ role }) => role === 'drafter')
    const rendering = ({ variables }: ModelRequest): string =>
      variables.schema?.includes('CREATE TABLE')
        ? 'ddl'
        : variables.schema?.includes('【')
          ? 'm-schema'
          : 'markdown'
    const pairs = drafts.map(request => `${request.model} ${rendering(request)}`)
    expect(new Set(pairs).size).toBe(9)
    expect(new Set([0, 3, 6].map(at => drafts[at]?.model)).size).toBe(3)
    expect(new Set([0, 3, 6].map(at => drafts[at] && rendering(drafts[at]))).size).toBe(3)
  })

  it('show the same tables in another order in another sample', async () => {
    const { asked, paths } = models(['a'])
    for (const sample of [0, 3, 6]) {
      const input = { ...potteryInput('sqlite'), database: studio(), sample }
      await paths[0]?.draft({
        ...input,
        linked: { tables: studio().catalog.tables.map(({ name }) => ({ table: name, keep: 'all' })) },
      })
    }
    const schemas = asked.map(({ variables }) => variables.schema ?? '')
    expect(new Set(schemas).size).toBe(3)
    expect(new Set(schemas.map(schema => schema.match(/\w+/g)?.sort().join())).size).toBe(1)
  })
})
