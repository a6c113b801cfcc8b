import type { CommandContext } from '../../src/cli/command-context.ts'
import { makeOpenPoolDatabase } from '../../src/cli/evaluation/pool-databases.ts'
import { makeProgressBar } from '../../src/cli/terminal.ts'
import { QuerentError } from '../../src/domain/errors.ts'
import type { LabeledGroups } from '../../src/domain/selection/ranking.ts'
import { evaluationLimits } from '../../src/evaluation/evaluation-database.ts'
import { executePools, mixPools, type PoolQuestion } from '../../src/evaluation/execute-pools.ts'
import { type PoolSpec, type Pools, parserSource, readPoolsFile } from '../../src/evaluation/pools-file.ts'
import { readQuestionsFile, selectUsable } from '../../src/evaluation/questions-file.ts'
import { seededRandom } from '../../src/evaluation/statistics.ts'
import { measureGroups } from '../../src/ranking/features/measure-groups.ts'
import { databaseFamily } from '../../src/ranking/selector/shipped-selector.ts'
import type { SelectorTrainingData } from './fit-selector.ts'

/** Where lessons come from: questions with the folder of their databases, and files of candidates. */
interface TrainingFiles {
  readonly pools: readonly string[]
  readonly sets: readonly { readonly questions: string; readonly databases: string }[]
  /** The pools to report on, by their names. */
  readonly named: Readonly<Record<string, PoolSpec>>
  readonly seed: number
}

/** Everything run once, and what is learned from it. */
export interface TrainingData extends SelectorTrainingData {
  /** By pool, of the first set that has it: what the report scores in folds. */
  readonly scored: ReadonlyMap<string, readonly PoolQuestion[]>
}

/** What a question in a mixture nobody named counts, beside one in a named pool. */
const MIXTURE_WEIGHT = 0.25

/** What a question counts after its first few candidates. */
const PREFIX_WEIGHT = 0.5

/** Where a question stops, in turn; most that are worked on adaptively stop after two or three. */
const PREFIX_LENGTHS = [2, 3, 1, 2, 4, 3, 6]

/** Runs all candidates of all sets. A set whose questions have none in the files is read by the semantic parser. */
export const loadTrainingData = async (
  files: TrainingFiles,
  context: CommandContext,
): Promise<TrainingData> => {
  const pools: Pools = new Map(
    (await Promise.all(files.pools.map(readPoolsFile)))
      .flatMap(read => [...read])
      .reduce((known, [id, line]) => {
        const before = known.get(id)
        return known.set(id, {
          id,
          pools: { ...before?.pools, ...line.pools },
          systems: { ...before?.systems, ...line.systems },
        })
      }, new Map<string, NonNullable<ReturnType<Pools['get']>>>()),
  )
  assertPoolSourcesExist(files.named, pools)
  const scored = new Map<string, readonly PoolQuestion[]>()
  const questions: SelectorTrainingData['questions'][number][] = []
  const beginnings: SelectorTrainingData['questions'][number][] = []
  const mixtures: SelectorTrainingData['questions'][number][] = []
  const readings: SelectorTrainingData['questions'][number][] = []
  for (const set of files.sets) {
    const ran = await runSet(set, pools, context)
    if (ran.readings !== null) {
      readings.push(...ran.readings.map(question => labelResultGroups(question, 1)))
      continue
    }
    const named = Object.entries(files.named).flatMap(([name, spec]) => {
      const mixed = mixSources(spec, spec.from === 'systems' ? ran.systems : ran.samples)
      return mixed === null ? [] : [[name, mixed] as const]
    })
    for (const [name, mixed] of named) {
      if (!scored.has(name)) scored.set(name, mixed)
      questions.push(...mixed.map(question => labelResultGroups(question, 1)))
      beginnings.push(
        ...mixed.map((question, at) => labelResultGroups(prefixOf(question, at), PREFIX_WEIGHT)),
      )
    }
    mixtures.push(
      ...sampleMixtures(ran.samples, ran.systems, files).map(question =>
        labelResultGroups(question, MIXTURE_WEIGHT),
      ),
    )
  }
  return { questions, beginnings, mixtures, readings, scored }
}

const prefixOf = (question: PoolQuestion, at: number): PoolQuestion => {
  const length = PREFIX_LENGTHS[at % PREFIX_LENGTHS.length]!
  return {
    ...question,
    candidates: question.candidates.slice(0, length),
    candidateVotes: question.candidateVotes.slice(0, length),
    labels: question.labels.slice(0, length),
  }
}

const runSet = async (
  { questions, databases }: TrainingFiles['sets'][number],
  pools: Pools,
  context: CommandContext,
): Promise<{
  readonly samples: PoolSources
  readonly systems: PoolSources
  readonly readings: readonly PoolQuestion[] | null
}> => {
  const lines = selectUsable(await readQuestionsFile(questions))
  const first = lines.map(({ id }) => pools.get(id)).find(line => line !== undefined)
  const single = (from: PoolSpec['from'], names: readonly string[]) =>
    names.map((name): [string, PoolSpec] => [name, { from, names: [name] }])
  const samples = single('pools', Object.keys(first?.pools ?? {}))
  const systems = single('systems', Object.keys(first?.systems ?? {}))
  const bar = makeProgressBar(context.terminal)
  const executed = await executePools({
    ...{ lines, pools, signal: context.signal, timeoutMs: evaluationLimits.timeoutMs },
    specs: Object.fromEntries(
      first === undefined ? single('readings', [parserSource]) : [...samples, ...systems],
    ),
    open: makeOpenPoolDatabase(databases, context),
    onProgress: ({ done, total }) =>
      bar.onProgress({ doing: `Running candidates of ${done} of ${total} questions`, share: done / total }),
  })
  bar.clear()
  const of = (specs: readonly (readonly [string, PoolSpec])[]): PoolSources =>
    new Map(specs.map(([name]) => [name, executed.get(name) ?? []]))
  return { samples: of(samples), systems: of(systems), readings: executed.get(parserSource) ?? null }
}

/** The questions of a pool made of several sources; null where a source is not in this set. */
const mixSources = ({ names }: PoolSpec, sources: PoolSources): readonly PoolQuestion[] | null => {
  const parts = names.map(name => sources.get(name))
  const [first] = parts
  if (first === undefined || parts.some(part => part === undefined)) return null
  return first.map((question, at) => {
    const [own, ...others] = parts.map(part => part![at]!)
    return mixPools([own ?? question, ...others])
  })
}

/**
 * Throws `QuerentError('bad-arguments')` for a pool of which the files of candidates have a source nowhere: running
 * everything takes long, and a pool with a misspelled name would be missing from the report without a word.
 */
const assertPoolSourcesExist = (named: Readonly<Record<string, PoolSpec>>, pools: Pools): void => {
  const known = { pools: new Set<string>(), systems: new Set<string>() }
  for (const line of pools.values())
    for (const from of ['pools', 'systems'] as const)
      for (const name of Object.keys(line[from])) known[from].add(name)
  for (const [text, { from, names }] of Object.entries(named)) {
    if (from === 'readings')
      throw new QuerentError(
        'bad-arguments',
        'The selector chooses among what systems wrote: name pools or systems with --pool. Questions without candidates are read by the semantic parser anyway.',
      )
    const unknown = names.find(name => !known[from].has(name))
    if (unknown !== undefined)
      throw new QuerentError(
        'bad-arguments',
        `--pool ${text}: no file of candidates has "${unknown}"; of ${from} there are: ${[...known[from]].join(', ') || 'none'}.`,
      )
  }
}

/** Sources with their questions, the same questions in each. */
export type PoolSources = ReadonlyMap<string, readonly PoolQuestion[]>

/** How many sources of each kind a mixture has; one of these at random. */
const mixtureSizes = [
  { samples: [1, 2, 3], systems: [0] },
  { samples: [0], systems: [4, 6, 8, 11, 15, 20, 25] },
  { samples: [1, 2], systems: [2, 4, 8] },
]

/** Times that each question is drawn for each kind. */
const DRAWS = 3

/**
 * Every question again in mixtures of sources that nobody named: a hundred systems give far more pools than there are
 * names for, and a selector that has seen many kinds of pools trusts the vote as far as it deserves in each.
 */
export const sampleMixtures = (
  samples: PoolSources,
  systems: PoolSources,
  { seed }: { readonly seed: number },
): readonly PoolQuestion[] => {
  const random = seededRandom(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
  const draw = (sources: PoolSources, count: number): readonly string[] => {
    const left = [...sources.keys()]
    return Array.from({ length: Math.min(count, left.length) }, () =>
      left.splice(Math.floor(random() * left.length), 1),
    ).flat()
  }
  const all = new Map([...samples, ...systems])
  const byId = new Map(
    [...all].map(([name, questions]) => [name, new Map(questions.map(question => [question.id, question]))]),
  )
  const ids = new Set([...all.values()].flatMap(questions => questions.map(({ id }) => id)))
  return mixtureSizes.flatMap(kind =>
    Array.from({ length: DRAWS }, () =>
      [...ids].flatMap(id => {
        const names = [...draw(samples, pick(kind.samples)), ...draw(systems, pick(kind.systems))]
        const [first, ...others] = names.flatMap(name => byId.get(name)?.get(id) ?? [])
        return first === undefined ? [] : [mixPools([first, ...others])]
      }),
    ).flat(),
  )
}

/**
 * A question of a pool as a selector learns from it. Right is a group whose rows are the known ones in any order of
 * columns: people do not care, and which order to show is chosen within the group.
 */
export const labelResultGroups = (question: PoolQuestion, weight: number): LabeledGroups => {
  const { id, candidateVotes, parserEvidence, labels } = question
  const database = databaseFamily(question.database)
  const rightIds = new Set(
    candidateVotes.filter((_, at) => labels[at]?.anyOrder).map(({ candidateId }) => candidateId),
  )
  const groups = measureGroups(candidateVotes, parserEvidence)
  return {
    ...{ id, database, groups, weight },
    right: new Set(
      groups.filter(({ candidateIds }) => candidateIds.some(id => rightIds.has(id))).map(({ key }) => key),
    ),
  }
}
