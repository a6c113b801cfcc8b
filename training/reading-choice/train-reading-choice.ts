import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { parseDatabaseReference } from '../../src/databases/database-reference.ts'
import { makeGuard } from '../../src/databases/guard/guard.ts'
import { openDatabase } from '../../src/databases/open-database.ts'
import type { Database } from '../../src/domain/database.ts'
import { QuerentError, SqlError } from '../../src/domain/errors.ts'
import { silentAudit } from '../../src/domain/operations/audit.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import { makeCachedRunStatement } from '../../src/evaluation/evaluation-database.ts'
import { readQuestionsFile, selectUsable } from '../../src/evaluation/questions-file.ts'
import { makeSemanticLayers } from '../../src/semantic-layer/open-with-layer.ts'
import { weighFeatures } from '../../src/semantic-layer/weigh-readings.ts'
import { buildDatabase, databaseNames, loadDatabase } from '../business/build-databases.ts'
import { databaseQuestions } from '../business/questions.ts'
import { companyId, makeCompany, readCompanies } from '../parser/companies.ts'
import { drawProgress } from '../progress.ts'
import { batteryFile, type Choice, type ChoiceQuestion, collectChoice } from './collect-choices.ts'
import { fitChoice } from './fit-choice.ts'

/**
 * `npm run train:reading-choice -- --questions FILE --databases DIR [--every N]`: learns when to trust the reading by the
 * semantic layer and when the parser's, and how likely each is right. It reads the questions of fixtures/business that
 * may be looked at, those of our invented companies, and every Nth of a questions file in Spider's style (never one that
 * figures are reported on). Folds are made by database. Writes weights/reading-choice.json.
 */

/** The day that the companies' known answers hold for. */
const COMPANY_DAY = '2026-11-20T12:00:00Z'

const FOLDS = 6

const root = join(import.meta.dirname, '../..')

interface Source {
  readonly name: string
  readonly reference: string
  readonly asOf: string
  readonly questions: readonly ChoiceQuestion[]
  /** The file of an accepted semantic layer; null to read by proposals alone. */
  readonly layerFile: string | null
}

const main = async (): Promise<void> => {
  const { questions, databases, every } = readArguments()
  const scratch = mkdtempSync(join(tmpdir(), 'querent-choice-'))
  try {
    const sources = [
      ...(await batterySources(scratch)),
      ...companySources(scratch),
      ...(await fileSources(questions, databases, every)),
    ]
    const choices = await collect(sources)
    const model = fitChoice(choices)
    const figures = measure(choices)
    const card = {
      what: 'Chooses between a reading by the semantic layer and the parser, and says how likely each is right: a softmax over the two and neither, on the features of src/semantic-layer/interpret/confidence.ts.',
      trainedOn: `${choices.filter(({ isBusiness }) => isBusiness).length} business questions (fixtures/business without what is unread, fixtures/parser-training) and ${choices.filter(({ isBusiness }) => !isBusiness).length} of Spider's training questions`,
      date: new Date().toISOString().slice(0, 10),
      command: `npm run train:reading-choice -- --questions ${questions.split('/').at(-1)} --every ${every}`,
      figures,
    }
    writeFileSync(
      join(root, 'weights/reading-choice.json'),
      `${JSON.stringify({ card, ...model }, null, 2)}\n`,
    )
    console.log(JSON.stringify(figures, null, 2))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const batterySources = async (scratch: string): Promise<readonly Source[]> => {
  const fixtures = join(root, 'fixtures/business')
  const sources: Source[] = []
  for (const name of databaseNames(fixtures)) {
    const database = await loadDatabase(fixtures, name)
    await buildDatabase(scratch, name, database)
    const lines = databaseQuestions(fixtures, name).filter(
      ({ part, gold }) => part === 'read' && gold !== null,
    )
    const layerFile = join(fixtures, name, 'semantic.yml')
    for (const file of existsSync(layerFile) ? [null, layerFile] : [null])
      sources.push({
        name,
        reference: `${database.engine}:${batteryFile(scratch, name, database.engine)}`,
        asOf: database.asOf,
        layerFile: file,
        questions: lines.map(({ question, gold, alternatives }) => ({
          question,
          golds: [gold ?? '', ...alternatives],
          isBusiness: true,
        })),
      })
  }
  return sources
}

const companySources = (scratch: string): readonly Source[] =>
  readCompanies(join(root, 'fixtures/parser-training')).map(company => {
    const file = join(scratch, `${company.name}.company.sqlite`)
    makeCompany(company, file, new Date(COMPANY_DAY), 7)
    const questions = company.questions.map(({ question, sql }) => ({
      question,
      golds: sql,
      isBusiness: true,
    }))
    return {
      name: companyId(company.name),
      reference: `sqlite:${file}`,
      asOf: COMPANY_DAY,
      layerFile: null,
      questions,
    }
  })

const fileSources = async (file: string, folder: string, every: number): Promise<readonly Source[]> => {
  const lines = selectUsable(await readQuestionsFile(file)).filter((_, at) => at % every === 0)
  return [...Map.groupBy(lines, ({ db_id }) => db_id)].flatMap(([name, asked]): readonly Source[] => {
    const path = resolve(folder, `${name}.sqlite`)
    if (!existsSync(path)) return []
    const questions = asked.flatMap(({ question, gold, alternatives }) =>
      gold === null ? [] : [{ question, golds: [gold, ...alternatives], isBusiness: false }],
    )
    return [{ name, reference: `sqlite:${path}`, asOf: COMPANY_DAY, layerFile: null, questions }]
  })
}

/** A database with the layer of a file. */
const withLayer = async (
  plain: Database,
  name: string,
  file: string | null,
  asOf: string,
): Promise<Database> => {
  if (file === null) return plain
  const named = { ...plain, name }
  const layers = makeSemanticLayers({
    folder: join(dirname(file), 'semantic'),
    moreFiles: () => [file],
    listDecisions: async () => [],
    databases: [name],
    today: () => asOf.slice(0, 10),
    timeZone: 'UTC',
    now: Date.now,
    log: silentLog,
  })
  return layers.withLayers(async () => named)(name)
}

const TIMEOUT_MS = 10_000

const collect = async (sources: readonly Source[]): Promise<readonly Choice[]> => {
  const total = sources.reduce((sum, { questions }) => sum + questions.length, 0)
  const onProgress = drawProgress('Reading')
  const choices: Choice[] = []
  let done = 0
  for (const { name, reference, asOf, questions, layerFile } of sources) {
    const { database: plain, close } = await openDatabase(
      parseDatabaseReference(reference, { baseFolder: root }),
      {
        audit: silentAudit,
        guard: makeGuard(),
        limits: { timeoutMs: TIMEOUT_MS, maxRows: 200_000, maxBytes: 256 * 1024 * 1024 },
      },
    )
    const database = await withLayer(plain, name, layerFile, asOf)
    const execute = async (sql: string, options: { readonly signal: AbortSignal }) => {
      const verdict = database.guard(sql)
      if (verdict.verdict === 'refuse') throw new SqlError('refused', verdict.reason)
      return database.run(verdict.guarded, options)
    }
    const clock = { now: () => new Date(asOf), timeZone: 'UTC' }
    for (const question of questions) {
      const run = makeCachedRunStatement(
        { execute },
        { signal: new AbortController().signal, timeoutMs: TIMEOUT_MS },
      )
      const choice = await collectChoice(question, name, { ...database, run }, clock)
      if (choice) choices.push(choice)
      onProgress(++done, total)
    }
    await close()
  }
  return choices
}

/** How often the chosen reading is right on databases that the model did not see, and how sure ones are. */
const measure = (choices: readonly Choice[]) => {
  const names = [...new Set(choices.map(({ database }) => database))]
  const chosen = Array.from({ length: FOLDS }, (_, fold) => {
    const held = new Set(names.filter((_, at) => at % FOLDS === fold))
    const model = fitChoice(choices.filter(({ database }) => !held.has(database)))
    return choices
      .filter(({ database }) => held.has(database))
      .map(choice => {
        const odds = weighFeatures(choice.features, model)
        const isMetric = odds.metric >= odds.parser
        return {
          isBusiness: choice.isBusiness,
          isRight: isMetric ? choice.isMetricRight : choice.isParserRight,
          confidence: choice.agree ? odds.metric + odds.parser : Math.max(odds.metric, odds.parser),
        }
      })
  }).flat()
  const figuresOf = (some: typeof chosen) => {
    const sure = some.filter(({ confidence }) => confidence >= 0.8)
    const share = (part: number, whole: number): number =>
      whole === 0 ? 0 : Number((part / whole).toFixed(4))
    return {
      questions: some.length,
      right: share(some.filter(({ isRight }) => isRight).length, some.length),
      confidentCoverage: share(sure.length, some.length),
      confidentPrecision: share(sure.filter(({ isRight }) => isRight).length, sure.length),
    }
  }
  return {
    business: figuresOf(chosen.filter(({ isBusiness }) => isBusiness)),
    spider: figuresOf(chosen.filter(({ isBusiness }) => !isBusiness)),
  }
}

const readArguments = () => {
  const { values } = parseArgs({
    options: {
      questions: { type: 'string' },
      databases: { type: 'string' },
      every: { type: 'string', default: '2' },
    },
  })
  const { questions, databases, every } = values
  if (!questions || !databases || !/^[1-9]\d*$/.test(every))
    throw new QuerentError(
      'bad-arguments',
      'Give --questions FILE, --databases DIR and --every with a whole number.',
    )
  return { questions, databases, every: Number(every) }
}

await main()
