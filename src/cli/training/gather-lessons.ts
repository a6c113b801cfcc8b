import { executePools, type PoolQuestion } from '../../evaluation/execute-pools.ts'
import { mixPools } from '../../evaluation/mix-pools.ts'
import type { PoolSpec } from '../../evaluation/pool-spec.ts'
import { parserSource } from '../../evaluation/pool-spec.ts'
import { type Pools, readPoolsFile } from '../../evaluation/pools-file.ts'
import { readQuestionsFile, selectUsable } from '../../evaluation/questions-file.ts'
import type { SelectorTrainingData } from '../../selection/training/train-selector.ts'
import type { CommandContext } from '../command-context.ts'
import { makeProgressBar } from '../draw-progress.ts'
import { makeOpenPoolDatabase } from '../open-for-pools.ts'
import { assertPoolSourcesExist } from './assert-pools-there.ts'
import { type PoolSources, sampleMixtures } from './draw-mixtures.ts'
import { labelResultGroups } from './label-groups.ts'

/** Where lessons come from: questions with the folder of their databases, and files of candidates. */
export interface TrainingFiles {
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

/** BIRD's limit on one statement. */
const TIMEOUT_MS = 30_000

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
    ballots: question.ballots.slice(0, length),
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
    ...{ lines, pools, signal: context.signal, timeoutMs: TIMEOUT_MS },
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
