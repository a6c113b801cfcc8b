import { describe, expect, it } from 'vitest'
import { makeAnswerRuns } from '../../../graphs/answer/answer-runs.ts'
import { makeDivideAndConquerPath } from '../../../graphs/answer/drafting/model-paths.ts'
import { makeFixWithModel } from '../../../graphs/answer/repair/fix-with-model.ts'
import { findClarification } from '../../../src/clarification/find-clarification.ts'
import { renderDdl } from '../../../src/databases/catalog/render-schema.ts'
import { linkSchema, widenSchema } from '../../../src/databases/schema-linking/link-schema.ts'
import type { AskForSql, ModelRequest } from '../../../src/domain/model.ts'
import type { LinkSchema } from '../../../src/domain/question-context.ts'
import { makeMemoryCheckpoints } from '../../../src/store/checkpoints.ts'
import { makeMemoryResults, makeMemoryRunStore } from '../../../src/store/in-memory.ts'
import { answerDeps } from '../../helpers/answer-deps.ts'
import { selectionParts } from '../../helpers/selection-parts.ts'
import { openSqliteDatabase } from '../open-sqlite-database.ts'

const database = openSqliteDatabase(
  'marina',
  `
  create table boats (boat_id integer primary key, boat_name text, launched integer);
  create table rentals (rental_id integer primary key, boat_id integer references boats, skipper_id integer references skippers);
  create table skippers (skipper_id integer primary key, licence text);
  insert into boats values (1, 'Alba', 1990), (2, 'Brisa', 2001);
  insert into skippers values (7, 'coastal'), (8, 'ocean');
  insert into rentals values (1, 1, 8), (2, 2, 7);
`,
)

/** A model that says what a test wrote, one text a call, and refuses to be called more often. */
const modelThatSays = (script: readonly string[]) => {
  const asked: ModelRequest[] = []
  const askForSql: AskForSql = async request => {
    const sql = script[asked.length]
    asked.push(request)
    if (sql === undefined) throw new Error(`call ${asked.length} was not expected`)
    const usage = { modelCalls: 1, promptTokens: 10, completionTokens: 1 }
    return { value: { sql, assumptions: [] }, usage }
  }
  return { askForSql, shown: () => asked.map(({ variables }) => variables.schema ?? '') }
}

/** One question through the whole graph, with a linker that shows two columns of boats unless told otherwise. */
const answer = async (script: readonly string[], link: LinkSchema = onlyBoats) => {
  const model = modelThatSays(script)
  const results = makeMemoryResults()
  const runs = makeAnswerRuns(
    answerDeps({
      database: async () => database(),
      understand: (text, { timeZone }) => ({ kind: 'data', text, spans: [], today: '2026-11-20', timeZone }),
      linkSchema: link,
      widenSchema,
      paths: [makeDivideAndConquerPath({ ...model, renderSchema: renderDdl, model: 'scripted' })],
      fixers: [makeFixWithModel({ ...model, renderSchema: renderDdl })],
      ...selectionParts,
      drafting: { mode: 'adaptive', mostDrafts: 1 },
      findClarification,
      runStore: makeMemoryRunStore(),
      saveResult: results.save,
      loadResult: results.load,
      thresholds: { answer: 0.3, ask: 0.2 },
    }),
    makeMemoryCheckpoints().checkpointer,
  )
  const report = await runs.start({
    id: 'q1',
    key: 'test:q1',
    text: 'Which boats were rented by a skipper with an ocean licence?',
    database: 'marina',
    askedAt: new Date('2026-11-20T12:00:00Z'),
    timeZone: 'UTC',
    askedBy: null,
  })
  return { report, shown: model.shown() }
}

/** Shows the names of boats, and what it is asked for when it is asked for more. */
const onlyBoats: LinkSchema = async input =>
  input.columns === undefined
    ? { tables: [{ table: 'boats', keep: ['boat_name', 'launched'] }] }
    : linkSchema(input)

const right = `SELECT b.boat_name FROM boats AS b JOIN rentals AS r ON r.boat_id = b.boat_id
JOIN skippers AS s ON s.skipper_id = r.skipper_id WHERE s.licence = 'ocean'`

describe('a schema of which too little was shown', () => {
  it('is opened for a column that a draft looked for in the wrong table, with what joins it', async () => {
    const { report, shown } = await answer(["SELECT boat_name FROM boats WHERE licence = 'ocean'", right])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: right })
    expect(shown[0]).not.toContain('skippers')
    for (const name of ['licence', 'rentals', 'skipper_id', 'boat_id']) expect(shown[1]).toContain(name)
    expect(shown[1]).not.toContain('rental_id ')
  })

  it('is opened for a table that a draft nearly named', async () => {
    const { shown } = await answer(["SELECT count(*) FROM skiper WHERE licence = 'ocean'", right])
    expect(shown[0]).not.toContain('skippers')
    expect(shown[1]).toContain('skippers')
  })

  it('stays as it is for what the catalog has nothing like', async () => {
    const { shown } = await answer(['SELECT moonphase FROM boats', ''])
    expect(shown[1]).toBe(shown[0])
  })

  it('is shown wider once to a model that found nothing to answer with', async () => {
    const { report, shown } = await answer(['', right])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: right })
    expect(report.usage.modelCalls).toBe(2)
    expect(shown[1]?.length).toBeGreaterThan(shown[0]!.length)
  })

  it('is not asked about again when all of it was shown', async () => {
    const { report, shown } = await answer([''], linkSchema)
    expect(report.outcome.status).toBe('refused')
    expect(shown).toHaveLength(1)
  })
})
