import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { CommandContext } from '../../src/cli/command-context.ts'
import { makeSelector, type SelectorName } from '../../src/cli/evaluation/selectors.ts'
import { makeProgressBar, writeJson } from '../../src/cli/terminal.ts'
import { QuerentError } from '../../src/domain/errors.ts'
import { shippedVersion } from '../../src/domain/selection/ranking.ts'
import { type PoolSpec, parsePoolSpec } from '../../src/evaluation/pools-file.ts'
import { type FeatureFamily, familyOf } from '../../src/ranking/features/feature-reasons.ts'
import { type SelectorModel, withManualFeatures } from '../../src/ranking/selector/selector-model.ts'
import { databaseFamily } from '../../src/ranking/selector/shipped-selector.ts'
import { crossValidate, withoutFamily } from './cross-validate.ts'
import { defaultTraining, type TrainedSelector, trainSelector } from './fit-selector.ts'
import { loadTrainingData, type TrainingData } from './training-data.ts'
import { type PoolReport, renderTrainingReport, scoreFolds, type TrainingReport } from './training-report.ts'

interface TrainSelectorOptions {
  readonly pools?: string
  readonly questions?: string
  readonly databases?: string
  readonly pool?: readonly string[]
  readonly out?: string
  readonly seed?: string
  readonly ablation?: boolean
  readonly groups?: string
  readonly json?: boolean
}

/** Weights have this many digits behind the point: more would say nothing. */
const DIGITS = 4

/**
 * `train selector`: runs the candidates, trains, cross-validates by database, and writes the model, its folds and its
 * report beside each other.
 */
export const runTrainSelector = async (
  options: TrainSelectorOptions,
  context: CommandContext,
): Promise<number> => {
  const { terminal, now } = context
  const path = (file: string): string => resolve(terminal.folder, file)
  const out = path(options.out ?? '')
  const seed = readSeed(options.seed)
  const lessons = await loadTrainingData(
    {
      pools: splitList(options.pools).map(path),
      sets: readSets(splitList(options.questions).map(path), splitList(options.databases)),
      named: readPoolSpecs(options.pool),
      seed,
    },
    context,
  )
  if (lessons.questions.length === 0)
    throw new QuerentError(
      'bad-arguments',
      'No question has candidates in the pools that were named; check --pools, --questions and --pool.',
    )
  if (options.groups !== undefined) await writeGroups(path(options.groups), lessons)
  const bar = makeProgressBar(terminal)
  const steps = countSteps(lessons, options.ablation !== false)
  let done = 0
  const onFold = (doing: string): void => bar.onProgress({ doing, share: ++done / steps })
  const trained = trainSelector(lessons)
  const folds = crossValidate(lessons, { onFold: database => onFold(`Trained without ${database}`) })
  const provenance = describeProvenance(lessons, { seed, date: now.toISOString().slice(0, 10) })
  const asModel = (one: TrainedSelector): SelectorModel => ({ version: shippedVersion, provenance, ...one })
  const report: TrainingReport = {
    provenance,
    pools: scorePools(lessons, folds, asModel),
    ablation:
      options.ablation === false
        ? []
        : familiesOf(trained).map(family => ({
            family,
            pools: scorePools(
              lessons,
              crossValidate(withoutFamily(lessons, family), {
                training: { ...defaultTraining, calibrates: false },
                onFold: () => onFold(`Trained without ${family}`),
              }),
              asModel,
            ),
          })),
    features: trained.features,
  }
  bar.clear()
  await writeFile(out, `${JSON.stringify(roundWeights(withManualFeatures(asModel(trained))), null, 1)}\n`)
  await writeFile(siblingFile(out, 'folds.json'), `${JSON.stringify(writeFolds(trained, folds))}\n`)
  await writeFile(siblingFile(out, 'report.md'), renderTrainingReport(report))
  if (options.json) writeJson(terminal.out, report)
  else terminal.out.write(renderTrainingReport(report))
  return 0
}

const splitList = (text = ''): readonly string[] =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')

const readSeed = (text = '1'): number => {
  const seed = Number(text)
  if (Number.isSafeInteger(seed)) return seed
  throw new QuerentError('bad-arguments', `--seed takes a whole number, not "${text}".`)
}

const readSets = (questions: readonly string[], databases: readonly string[]) => {
  if (databases.length !== 1 && databases.length !== questions.length)
    throw new QuerentError(
      'bad-arguments',
      `--databases names ${databases.length} folders for ${questions.length} files of questions; give one for each, or one for all.`,
    )
  return questions.map((file, at) => ({
    questions: file,
    databases: databases[databases.length === 1 ? 0 : at]!,
  }))
}

const readPoolSpecs = (pools: readonly string[] = []): Readonly<Record<string, PoolSpec>> => {
  if (pools.length === 0)
    throw new QuerentError('bad-arguments', 'Name the pools to train for and to report on with --pool.')
  return Object.fromEntries(pools.map(text => [text, parsePoolSpec(text)]))
}

const familiesOf = ({ features }: TrainedSelector): readonly FeatureFamily[] => [
  ...new Set(features.flatMap(({ name }) => familyOf(name) ?? [])),
]

const countSteps = ({ questions }: TrainingData, isAblated: boolean): number => {
  const databases = new Set(questions.map(({ database }) => database)).size
  const families = new Set(
    questions.flatMap(({ groups }) => groups.flatMap(({ measures }) => Object.keys(measures).map(familyOf))),
  )
  return databases * (1 + (isAblated ? families.size : 0))
}

const scorePools = (
  { scored }: TrainingData,
  folds: ReadonlyMap<string, TrainedSelector>,
  asModel: (one: TrainedSelector) => SelectorModel,
): Readonly<Record<string, PoolReport>> =>
  Object.fromEntries(
    [...scored].map(([pool, questions]) => [
      pool,
      scoreFolds(questions, (name: SelectorName) => {
        const made = new Map<string, ReturnType<typeof makeSelector>>()
        return database => {
          const known = made.get(database)
          if (known !== undefined) return known
          const fold = folds.get(databaseFamily(database))
          const select = makeSelector(
            name,
            questions.filter(question => databaseFamily(question.database) !== databaseFamily(database)),
            fold === undefined ? undefined : asModel(fold),
          )
          made.set(database, select)
          return select
        }
      }),
    ]),
  )

const describeProvenance = (
  { questions, mixtures, readings, scored }: TrainingData,
  { seed, date }: { readonly seed: number; readonly date: string },
): SelectorModel['provenance'] => ({
  databases: [...new Set([...questions, ...mixtures].map(({ database }) => database))].sort(),
  trainedOn: [
    `${questions.length} questions with candidates of ${scored.size} pools`,
    `${mixtures.length} more in mixtures of their sources`,
    `${readings.length} questions of ${new Set(readings.map(({ database }) => database)).size} other databases with readings of the semantic parser`,
  ],
  method: `pairwise logistic regression, pull ${defaultTraining.pull} towards ${defaultTraining.belief} of what the readings taught, seed ${seed}`,
  date,
})

const round = (number: number): number => Number(number.toFixed(DIGITS))

const roundWeights = (model: SelectorModel): SelectorModel => ({
  ...model,
  features: model.features.map(({ name, scale, weight }) => ({
    name,
    scale: Number(scale.toPrecision(DIGITS)),
    weight: round(weight),
  })),
  calibration: model.calibration.map(round),
})

/** Weights in the order of the whole model's features. */
const writeFolds = (
  { features }: TrainedSelector,
  folds: ReadonlyMap<string, TrainedSelector>,
): Readonly<
  Record<string, { readonly weights: readonly number[]; readonly calibration: readonly number[] }>
> =>
  Object.fromEntries(
    [...folds].map(([database, fold]) => {
      // A fold may scale a feature otherwise; what counts is the weight of one unit of it.
      const perUnit = new Map(fold.features.map(({ name, scale, weight }) => [name, weight / scale]))
      return [
        database,
        {
          weights: features.map(({ name, scale }) => round((perUnit.get(name) ?? 0) * scale)),
          calibration: fold.calibration.map(round),
        },
      ]
    }),
  )

const siblingFile = (out: string, ending: string): string =>
  `${out.replace(/(?:-model)?\.json$/, '')}-${ending}`

/** Labelled groups as JSON lines, for benches of learning. */
const writeGroups = (file: string, { questions }: TrainingData): Promise<void> =>
  writeFile(
    file,
    questions
      .map(
        ({ id, database, groups, right, weight }) =>
          `${JSON.stringify({ id, database, groups, right: [...right], weight })}\n`,
      )
      .join(''),
  )
