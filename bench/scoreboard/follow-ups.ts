import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { z } from 'zod'
import { makeAnswering } from '../../src/bootstrap/answering/answering.ts'
import { makeResources } from '../../src/bootstrap/resources.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import type { Outcome } from '../../src/domain/answer.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import { coversRows } from '../../src/evaluation/score-question.ts'
import { makeServerFolder } from '../../src/store/embedded/server-folder.ts'
import { classifiedMessages } from '../../test/helpers/scripted-model/classified-messages.ts'
import { startScriptedModel } from '../../test/helpers/scripted-model/start-scripted-model.ts'
import { buildDatabase, loadDatabase, writeSettings } from '../../training/business/build-databases.ts'
import { inBothUnits } from '../../training/business/questions.ts'

/**
 * `follow-ups.ts [--only without-model|classifier] [--misses] [--said TEXT]`: says the messages of fixtures/follow-ups
 * after their first questions, without a model and with an endpoint that gives the written classification of each message
 * and refuses every other request. Prints how many are handled right, by half. `--misses` lists what went wrong with those
 * that may be looked at.
 */
const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    misses: { type: 'boolean', default: false },
    said: { type: 'string' },
  },
})

const root = join(import.meta.dirname, '../..')
const business = join(root, 'fixtures/business')

/** The day that the known answers were checked on. */
const asOf = '2026-11-20'

/** Fixtures name the sample company and this database of fixtures/business. */
const database = 'hotel'

const followUpSchema = z
  .strictObject({
    id: z.string().min(1),
    database: z.enum(['sample-company', database]),
    first: z.string().min(1),
    said: z.string().min(1),
    kind: z.enum(['small-talk', 'new-question', 'follow-up', 'unclear']),
    question: z.string().default(''),
    gold: z.string().optional(),
    alternatives: z.array(z.string()).default([]),
  })
  .refine(
    ({ kind, question, gold }) =>
      kind === 'follow-up' || kind === 'new-question'
        ? question !== '' && gold !== undefined
        : question === '' && gold === undefined,
    'questions have a text and a gold, small talk and unclear messages have neither',
  )

type WrittenFollowUp = z.output<typeof followUpSchema>

const halves = { lookedAt: 'looked-at.yml', heldBack: 'held-back.yml' } as const

const readHalf = (file: string): readonly WrittenFollowUp[] =>
  z
    .array(followUpSchema)
    .parse(parse(readFileSync(join(root, 'fixtures/follow-ups', file), 'utf8')))
    .filter(({ said }) => options.said === undefined || said === options.said)

const written = { lookedAt: readHalf(halves.lookedAt), heldBack: readHalf(halves.heldBack) }

/** Refusals that are right for what asks nothing, and for what cannot be told. */
const rightRefusals: Readonly<Record<string, readonly string[]>> = {
  'small-talk': ['thanks', 'greeting', 'no-request'],
  unclear: ['no-request', 'impossible-change'],
}

const folder = mkdtempSync(join(tmpdir(), 'querent-follow-ups-'))
await using model = await startScriptedModel(classifiedMessages([...written.lookedAt, ...written.heldBack]))
try {
  await buildDatabase(folder, database, await loadDatabase(business, database))
  console.log(
    JSON.stringify({
      ...(options.only === 'classifier' ? {} : { withoutModel: await measure(false) }),
      ...(options.only === 'without-model' ? {} : { withClassifier: await measure(true) }),
    }),
  )
} finally {
  if (process.env.QUERENT_HOME === undefined)
    rmSync((await makeServerFolder(join(folder, '.querent'))).root, { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
}

/** Settings with the accepted layer of the database, and with models of which only the classifier ever answers. */
function writeConfig(): void {
  writeSettings(folder, business, new Map([[database, { engine: 'sqlite', folder }]]))
  const settings = {
    timeZone: 'UTC',
    databases: { [database]: { url: `sqlite:${join(folder, `${database}.sqlite`)}` } },
    models: { drafter: { model: 'refused' }, rewriter: { model: 'classifier' } },
  }
  // JSON is YAML.
  writeFileSync(join(folder, 'querent.yml'), JSON.stringify(settings))
}

async function measure(hasClassifier: boolean) {
  writeConfig()
  const config = loadConfig({ env: { ...process.env, OPENAI_BASE_URL: model.baseUrl }, cwd: folder })
  const resources = makeResources(config, { log: silentLog, asOf })
  try {
    const answering = await makeAnswering(resources, {
      model: hasClassifier ? null : 'none',
      kept: 'in-memory',
    })
    const ask = async (text: string, { database }: WrittenFollowUp, follows: string | null) => {
      const id = randomUUID()
      const askedAt = new Date(`${asOf}T09:00:00Z`)
      const place = { database, askedAt, timeZone: 'UTC', askedBy: null }
      const question = { id, key: id, text, ...place, ...(follows === null ? {} : { follows }) }
      await answering.keepQuestion(question)
      return { id, outcome: (await answering.answer(question)).outcome }
    }
    const run = async (sql: string, { database }: WrittenFollowUp) => {
      const opened = await resources.openDatabase(database, {})
      const verdict = opened.guard(sql)
      if (verdict.verdict === 'refuse') throw new Error(`${verdict.reason}: ${sql}`)
      return opened.run(verdict.guarded)
    }
    const isRight = async (followUp: WrittenFollowUp, outcome: Outcome): Promise<boolean> => {
      const golds = [followUp.gold ?? [], followUp.alternatives].flat().flatMap(inBothUnits)
      const results = await Promise.all(golds.map(sql => run(sql, followUp)))
      if (results.some(({ rows }) => rows.length === 0))
        throw new Error(`${followUp.id}: a gold without rows`)
      if (outcome.status === 'refused')
        return rightRefusals[followUp.kind]?.includes(outcome.why.code) ?? false
      if (outcome.status !== 'answered') return false
      const shown = await answering.loadResult(outcome.resultId)
      return shown !== null && results.some(gold => coversRows(shown, gold))
    }
    const measureHalf = async (half: keyof typeof halves) => {
      const right: string[] = []
      for (const followUp of written[half]) {
        const before = await ask(followUp.first, followUp, null)
        if (before.outcome.status !== 'answered')
          throw new Error(`${followUp.id}: the first question was not answered`)
        const { outcome } = await ask(followUp.said, followUp, before.id)
        if (await isRight(followUp, outcome)) right.push(followUp.id)
        else if (options.misses && half === 'lookedAt') describeMiss(followUp, outcome)
      }
      return { right: right.length, of: written[half].length }
    }
    const [lookedAt, heldBack] = [await measureHalf('lookedAt'), await measureHalf('heldBack')]
    const unknown = model.unexpected.filter(text => text.includes('for the rewriter'))
    if (unknown.length > 0) throw new Error(unknown.join('\n'))
    return { lookedAt, heldBack, right: lookedAt.right + heldBack.right, of: lookedAt.of + heldBack.of }
  } finally {
    await resources.release()
  }
}

function describeMiss({ first, said }: WrittenFollowUp, outcome: Outcome): void {
  const end =
    outcome.status === 'answered'
      ? `${outcome.headline}\n  ${outcome.assumptions.join(' ')}\n  ${outcome.sql.replaceAll(/\s+/g, ' ')}`
      : JSON.stringify(outcome).slice(0, 400)
  console.error(`${first} > ${said}\n  ${end}`)
}
