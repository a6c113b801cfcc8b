import { executePools, type PoolQuestion } from '../../evaluation/execute-pools.ts'
import { mixPools } from '../../evaluation/mix-pools.ts'
import type { PoolSpec } from '../../evaluation/pool-spec.ts'
import { readingsSource } from '../../evaluation/pool-spec.ts'
import { type Pools, readPoolsFile } from '../../evaluation/pools-file.ts'
import { readQuestionsFile, selectUsable } from '../../evaluation/questions-file.ts'
import type { SelectorLessons } from '../../selection/training/train-selector.ts'
import type { CommandContext } from '../command-context.ts'
import { makeProgressBar } from '../draw-progress.ts'
import { openForPools } from '../open-for-pools.ts'
import { assertPoolsThere } from './assert-pools-there.ts'
import { drawMixtures, type Sources } from './draw-mixtures.ts'
import { labelGroups } from './label-groups.ts'

/** Where lessons come from: questions with the folder of their databases, and files of candidates. */
export interface LessonFiles {
  readonly pools: readonly string[]
  readonly sets: readonly { readonly questions: string; readonly databases: string }[]
  /** The pools to report on, by their names. */
  readonly named: Readonly<Record<string, PoolSpec>>
  readonly seed: number
}

/** Everything run once, and what is learned from it. */
export interface Lessons extends SelectorLessons {
  /** By pool, of the first set that has it: what the report scores in folds. */
  readonly scored: ReadonlyMap<string, readonly PoolQuestion[]>
}

/** BIRD's limit on one statement. */
const TIMEOUT_MS = 30_000

/** What a question in a mixture nobody named counts, beside one in a named pool. */
const OF_A_MIXTURE = 0.25

/** What a question counts after its first few candidates. */
const OF_A_BEGINNING = 0.5

/** Where a question stops, in turn; most that are worked on adaptively stop after two or three. */
const LENGTHS = [2, 3, 1, 2, 4, 3, 6]

/** Runs all candidates of all sets. A set whose questions have none in the files is read by the semantic parser. */
export const gatherLessons = async (files: LessonFiles, context: CommandContext): Promise<Lessons> => {
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
  assertPoolsThere(files.named, pools)
  const scored = new Map<string, readonly PoolQuestion[]>()
  const questions: SelectorLessons['questions'][number][] = []
  const beginnings: SelectorLessons['questions'][number][] = []
  const mixtures: SelectorLessons['questions'][number][] = []
  const readings: SelectorLessons['questions'][number][] = []
  for (const set of files.sets) {
    const ran = await runSet(set, pools, context)
    if (ran.readings !== null) {
      readings.push(...ran.readings.map(question => labelGroups(question, 1)))
      continue
    }
    const named = Object.entries(files.named).flatMap(([name, spec]) => {
      const mixed = mixNamed(spec, spec.from === 'systems' ? ran.systems : ran.samples)
      return mixed === null ? [] : [[name, mixed] as const]
    })
    for (const [name, mixed] of named) {
      if (!scored.has(name)) scored.set(name, mixed)
      questions.push(...mixed.map(question => labelGroups(question, 1)))
      beginnings.push(...mixed.map((question, at) => labelGroups(beginningOf(question, at), OF_A_BEGINNING)))
    }
    mixtures.push(
      ...drawMixtures(ran.samples, ran.systems, files).map(question => labelGroups(question, OF_A_MIXTURE)),
    )
  }
  return { questions, beginnings, mixtures, readings, scored }
}

const beginningOf = (question: PoolQuestion, at: number): PoolQuestion => {
  const length = LENGTHS[at % LENGTHS.length]!
  return {
    ...question,
    candidates: question.candidates.slice(0, length),
    ballots: question.ballots.slice(0, length),
    labels: question.labels.slice(0, length),
  }
}

const runSet = async (
  { questions, databases }: LessonFiles['sets'][number],
  pools: Pools,
  context: CommandContext,
): Promise<{
  readonly samples: Sources
  readonly systems: Sources
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
      first === undefined ? single('readings', [readingsSource]) : [...samples, ...systems],
    ),
    open: openForPools(databases, context),
    onProgress: ({ done, total }) =>
      bar.onProgress({ doing: `Running candidates of ${done} of ${total} questions`, share: done / total }),
  })
  bar.clear()
  const of = (specs: readonly (readonly [string, PoolSpec])[]): Sources =>
    new Map(specs.map(([name]) => [name, executed.get(name) ?? []]))
  return { samples: of(samples), systems: of(systems), readings: executed.get(readingsSource) ?? null }
}

/** The questions of a pool made of several sources; null where a source is not in this set. */
const mixNamed = ({ names }: PoolSpec, sources: Sources): readonly PoolQuestion[] | null => {
  const parts = names.map(name => sources.get(name))
  const [first] = parts
  if (first === undefined || parts.some(part => part === undefined)) return null
  return first.map((question, at) => {
    const [own, ...others] = parts.map(part => part![at]!)
    return mixPools([own ?? question, ...others])
  })
}
