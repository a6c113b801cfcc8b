import { describe, expect, it } from 'vitest'
import { buildValueIndex } from '../../../src/databases/value-index/build-value-index.ts'
import type { DraftInput, DraftPath } from '../../../src/domain/candidate.ts'
import { noModelUsage } from '../../../src/domain/operations/usage.ts'
import type { AskForKeywords } from '../../../src/domain/question-context.ts'
import { openSqliteDatabase } from '../open-sqlite-database.ts'
import { asked, draft, openHarborRuns, pathOf } from './harbor-runs.ts'

const makeRuns = openHarborRuns()

const harbor = openSqliteDatabase(
  'harbour',
  `
  create table boats (id integer primary key, name text, build_port text, length real);
  insert into boats values (1, 'Alba', 'Gdansk', 9.5), (2, 'Brisa', 'Kiel', 12), (3, 'Cyan', 'Kiel', 7);
`,
)

const values = buildValueIndex([{ table: 'boats', column: 'build_port', values: ['Gdansk', 'Kiel'] }])

const spent = { modelCalls: 1, promptTokens: 80, completionTokens: 9 }

/** A model whose drafts differ, so that it is asked again; what each draft was shown is kept. */
const modelWith = (shown: Pick<DraftInput, 'matches'>[], onDraft: () => Promise<void>): DraftPath => ({
  name: 'query-plan',
  cost: 'model',
  samples: 3,
  draft: async ({ matches, sample }) => {
    shown.push({ matches })
    if (sample === 0) await onDraft()
    const sql = `select name from boats where length > ${sample * 4}`
    return {
      kind: 'statements',
      drafts: [draft(sql, { lineage: `query-plan/m${sample}`, unused: null })],
      usage: noModelUsage,
    }
  },
})

const run = async (given: {
  readonly mode: 'adaptive' | 'full'
  readonly keywords: AskForKeywords
  readonly onDraft?: () => Promise<void>
}) => {
  const shown: Pick<DraftInput, 'matches'>[] = []
  const { runs } = makeRuns({
    paths: [
      pathOf(() => [draft('select count(*) from boats', { prior: 0.3 })]),
      modelWith(shown, given.onDraft ?? (async () => {})),
    ],
    drafting: { mode: given.mode, mostDrafts: 3 },
    database: async () => ({ ...harbor(), findValues: values.find }),
    askForKeywords: given.keywords,
    thresholds: { answer: 0.1, ask: 1 },
  })
  const report = await runs.start(asked('Which boats are built at the Baltic town?'))
  return { report, values: shown.map(({ matches }) => matches.map(({ value }) => value)) }
}

const kiel: AskForKeywords = async () => ({
  value: [{ text: 'Kiel', said: 'Baltic town', source: 'model', weight: 0.9 }],
  usage: spent,
})

describe('the keywords of a model', () => {
  it('are asked for beside its first draft, and seen by the drafts after it', async () => {
    let hasBegun = (): void => {}
    const drafting = new Promise<void>(resolve => {
      hasBegun = resolve
    })
    let asks = 0
    const { report, values } = await run({
      mode: 'adaptive',
      onDraft: async () => hasBegun(),
      // It answers only once the first draft is being made, so the draft cannot have waited for it.
      keywords: async request => {
        asks++
        await drafting
        return kiel(request)
      },
    })
    expect(values[0]).toEqual([])
    expect(values.slice(1).length).toBeGreaterThan(0)
    for (const seen of values.slice(1)) expect(seen).toContain('Kiel')
    expect(asks).toBe(1)
    expect(report.usage.modelCalls).toBe(1)
    expect(report.trace?.keywords.map(({ text }) => text)).toContain('Kiel')
    expect(report.trace?.steps.map(({ step }) => step)).toContain('ask-keywords')
  })

  it('come before all drafts if these are made at once', async () => {
    const { values } = await run({ mode: 'full', keywords: kiel })
    expect(values).toHaveLength(3)
    for (const seen of values) expect(seen).toContain('Kiel')
  })
})
