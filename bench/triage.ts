import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import type { Catalog } from '../src/domain/catalog.ts'
import {
  answerabilityFeatures,
  measureAnswerability,
} from '../src/parser/answerability/rate-answerability.ts'
import { classifyRequest } from '../src/parser/understand/understand-question.ts'
import { fitLogistic, probabilityOf } from '../src/ranking/learning/fit.ts'

/**
 * `npm run bench:triage -- --questions FILE [--out MODEL.json]`: can a question be answered from these tables, without a
 * model? Fitted on one half of the table sets, reported on the other; all names of tables and columns, no values.
 */
const { values } = parseArgs({ options: { questions: { type: 'string' }, out: { type: 'string' } } })

if (!values.questions) throw new Error('say where the questions are: --questions FILE')

const types = ['answerable', 'ambiguous', 'lack data', 'unanswerable by sql', 'small talk'] as const

const Line = z.object({
  tables: z.record(z.string(), z.array(z.string())),
  type: z.enum(types),
  question: z.string(),
})

type Question = z.infer<typeof Line>

const catalogOf = (tables: Question['tables']): Catalog => ({
  dialect: 'sqlite',
  fingerprint: '',
  foreignKeys: [],
  tables: Object.entries(tables).map(([name, columns]) => ({
    schema: null,
    name,
    type: 'table',
    comment: null,
    rowCount: null,
    primaryKey: [],
    columns: columns.map(column => ({
      name: column,
      type: 'text',
      kind: 'text' as const,
      nullable: true,
      comment: null,
      profile: null,
    })),
  })),
})

/** Questions over the same tables stay on one side. */
const halfOf = ({ tables }: Question): 'fitted' | 'held' =>
  (createHash('sha256').update(JSON.stringify(tables)).digest()[0] ?? 0) % 2 === 0 ? 'fitted' : 'held'

const questions = z.array(Line).parse(JSON.parse(readFileSync(values.questions, 'utf8')))

const measured = questions.map(question => ({
  ...question,
  half: halfOf(question),
  kind: classifyRequest(question.question),
  measures: measureAnswerability(question.question, catalogOf(question.tables)),
}))

const fitted = measured.filter(({ half }) => half === 'fitted')

const held = measured.filter(({ half }) => half === 'held')

/** What counts as a yes: the strict question, and whether it is about these tables at all (then one can ask back). */
const questionsAsked: readonly (readonly [string, readonly Question['type'][]])[] = [
  ['answerable', ['answerable']],
  ['about these tables', ['answerable', 'ambiguous']],
]

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

const yesOf = (set: readonly Question['type'][]) => (question: Question) => set.includes(question.type)

for (const [name, set] of questionsAsked) {
  const isYes = yesOf(set)
  const model = fitLogistic(fitted.map(one => ({ measures: one.measures, right: isYes(one) })))
  const says = (one: (typeof measured)[number]): number =>
    one.kind === 'data' ? probabilityOf(one.measures, model) : 0
  const right = held.filter(one => says(one) >= 0.5 === isYes(one)).length
  const majority = Math.max(held.filter(isYes).length, held.filter(one => !isYes(one)).length)
  console.log(
    `\n${name}: accuracy ${percent(right / held.length)} (majority class ${percent(majority / held.length)}), n ${held.length}, fitted on ${fitted.length}`,
  )
  const auc = areaUnder(held.map(one => ({ score: says(one), yes: isYes(one) })))
  console.log(`area under the curve ${auc.toFixed(3)}`)
  console.log(`${'type'.padEnd(22)}${'said yes'.padStart(10)}${'said no'.padStart(10)}`)
  for (const type of types) {
    const own = held.filter(one => one.type === type)
    const yes = own.filter(one => says(one) >= 0.5).length
    console.log(`${type.padEnd(22)}${String(yes).padStart(10)}${String(own.length - yes).padStart(10)}`)
  }
  if (name === 'about these tables') {
    for (const bound of [0.02, 0.05, 0.1, 0.15, 0.2]) {
      const below = (type: Question['type']): string =>
        percent(
          share(
            held.filter(one => one.type === type),
            one => says(one) < bound,
          ),
        )
      console.log(`below ${bound}: ${types.map(type => `${type} ${below(type)}`).join(', ')}`)
    }
    for (const [i, measure] of answerabilityFeatures.entries())
      console.log(`  ${measure.padEnd(18)}${(model[i] ?? 0).toFixed(2)}`)
    if (values.out) {
      const weights = Object.fromEntries(
        answerabilityFeatures.map((measure, i) => [measure, Number((model[i] ?? 0).toFixed(4))]),
      )
      const provenance = {
        trainedOn: 'TriageSQL test questions (CC BY-SA 4.0), one half by table set: weights only',
        questions: fitted.length,
        heldOut: { questions: held.length, accuracy: right / held.length, majority: majority / held.length },
      }
      writeFileSync(values.out, `${JSON.stringify({ provenance, weights }, null, 2)}\n`)
    }
  }
}

function share<T>(all: readonly T[], test: (one: T) => boolean): number {
  return all.length === 0 ? 0 : all.filter(test).length / all.length
}

/** The chance that a yes scores above a no. */
function areaUnder(cases: readonly { readonly score: number; readonly yes: boolean }[]): number {
  const yes = cases.filter(one => one.yes)
  const no = cases.filter(one => !one.yes)
  let above = 0
  for (const a of yes) for (const b of no) above += a.score > b.score ? 1 : a.score === b.score ? 0.5 : 0
  return above / (yes.length * no.length)
}
