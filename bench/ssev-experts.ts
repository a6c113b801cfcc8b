import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { drawLineChart } from '../src/charts/report-charts.ts'
import { toPoolDatabase } from '../src/cli/evaluation/pool-databases.ts'
import { evaluationLimits } from '../src/evaluation/evaluation-database.ts'
import { executePools } from '../src/evaluation/execute-pools.ts'
import { parsePoolSpec, readPoolsFile } from '../src/evaluation/pools-file.ts'
import { readQuestionsFile, selectUsable } from '../src/evaluation/questions-file.ts'
import { answersOfExperts, bestEpsilon } from '../src/ranking/experts.ts'
import { openEvaluated } from './open-evaluated.ts'
import { poolOptions } from './pool-options.ts'
import { type ChooserName, chooserNames, followVotes, type JudgedQuestion } from './ssev/follow-votes.ts'
import { crossingOf, mean, standingsAt } from './ssev/summarize-courses.ts'

/**
 * `npm run bench:ssev -- --pools FILE --questions FILE --databases DIR --pool systems:A,B,... [--seeds N] [--epsilon E]
 * [--out FOLDER]`: systems as the experts of the live chooser, questions in random order, the outcome of each known after
 * it was decided. Prints accuracy, error and regret against the best expert, and where the curves cross. With `--out` it
 * draws them, as SSEV's figures 15 to 18.
 */
const { values } = parseArgs({
  options: {
    ...poolOptions,
    seeds: { type: 'string', default: '20' },
    epsilon: { type: 'string' },
    out: { type: 'string' },
  },
})

const { pools = '', questions: questionsFile = '', databases = '', pool } = values

const lines = selectUsable(await readQuestionsFile(questionsFile))

const executed = await executePools({
  lines,
  pools: await readPoolsFile(pools),
  specs: { all: parsePoolSpec(pool) },
  timeoutMs: evaluationLimits.timeoutMs,
  signal: new AbortController().signal,
  open: async dbId => {
    const { database, close } = await openEvaluated(databases, dbId, evaluationLimits)
    return toPoolDatabase(database, close)
  },
  onProgress: ({ done, total }) => process.stderr.write(`\r${done} of ${total} questions`),
})

process.stderr.write('\n')

const questions = executed.get('all')!.map(
  ({ id, candidateVotes, labels }): JudgedQuestion => ({
    id,
    answers: answersOfExperts(candidateVotes),
    right: new Set(
      candidateVotes.flatMap(({ run }, at) => (run !== null && labels[at]?.ex ? [run.columnsKey] : [])),
    ),
  }),
)

const experts = [...new Set(questions.flatMap(({ answers }) => [...answers.keys()]))]

const epsilon =
  values.epsilon === undefined ? bestEpsilon(experts.length, questions.length) : Number(values.epsilon)

const seeds = Array.from({ length: Number(values.seeds) }, (_, at) => at + 1)

const courses = await Promise.all(seeds.map(seed => followVotes(questions, { seed, epsilon })))

const CHECKPOINTS = [10, 25, 50, 100, 150, 200, 250, 300].filter(count => count < questions.length)

const everywhere = standingsAt(
  courses,
  questions.map((_, at) => at + 1),
)

const end = everywhere.at(-1)!

const curveOf = (name: ChooserName | 'best'): readonly number[] =>
  everywhere.map(({ best, choosers }) => (name === 'best' ? best : choosers[name]).error)

const rightOf = (expert: string): number =>
  questions.filter(({ answers, right }) => right.has(answers.get(expert)?.key ?? '')).length

const fewest = Math.min(...experts.map(expert => questions.length - rightOf(expert)))

const bound = (1 + epsilon) * fewest + Math.log(experts.length) / epsilon

const result = {
  questions: questions.length,
  seeds: seeds.length,
  epsilon,
  ex: {
    best: 1 - end.best.error,
    ...Object.fromEntries(chooserNames.map(name => [name, 1 - end.choosers[name].error])),
  },
  /** Mistakes at the end: means, and the bounds that hold in any order. */
  mistakes: {
    best: fewest,
    ...Object.fromEntries(chooserNames.map(name => [name, end.choosers[name].error * questions.length])),
    bounds: { wma: 2 * bound, rwma: bound },
  },
  /** Right answers of a chooser by seed, lowest and highest. */
  range: Object.fromEntries(
    chooserNames.map(name => {
      const shares = courses.map(({ mistakes }) => 1 - mistakes[name].at(-1)! / questions.length)
      return [name, [Math.min(...shares), Math.max(...shares)]]
    }),
  ),
  experts: experts.map(expert => ({
    expert,
    ex: rightOf(expert) / questions.length,
    share: mean(courses.map(({ shares }) => shares.get(expert)!.at(-1)!)),
  })),
  checkpoints: [...standingsAt(courses, CHECKPOINTS), end],
  /** After how many questions the mean error of one stays below that of the other; null for never. */
  crossings: Object.fromEntries(
    (
      [
        ['wma', 'best'],
        ['wma', 'rwma'],
        ['wma', 'naive'],
        ['naive', 'wma'],
        ['naive', 'best'],
        ['rwma', 'best'],
        ['thumbs', 'best'],
      ] as const
    ).map(([lower, upper]) => [`${lower} below ${upper}`, crossingOf(curveOf(lower), curveOf(upper))]),
  ),
}

process.stdout.write(`${JSON.stringify(result, null, 1)}\n`)

const writeChart = async (name: string, chart: Parameters<typeof drawLineChart>[0]): Promise<void> => {
  const path = resolve(process.env.INIT_CWD ?? '.', values.out ?? '', name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${await drawLineChart(chart)}\n`)
}

const titles: Readonly<Record<ChooserName, string>> = {
  wma: 'WMA',
  rwma: 'RWMA',
  naive: 'naive vote',
  thumbs: 'WMA, told by thumbs alone',
}

/** Every tenth question is enough for a line. */
const drawn = everywhere.filter(({ questions: count }) => count % 10 === 0 || count === questions.length)

/** The heaviest experts and the lightest at the end: lines of all could not be told apart. */
const MOST_LINES = 6

const byShare = result.experts.toSorted((a, b) => b.share - a.share).map(({ expert }) => expert)

const shown =
  byShare.length <= MOST_LINES
    ? byShare
    : [...byShare.slice(0, MOST_LINES / 2), ...byShare.slice(-MOST_LINES / 2)]

if (values.out !== undefined) {
  const of = `${experts.length} systems as experts, ${questions.length} questions, mean of ${seeds.length} orders`
  await writeChart('ssev-error.svg', {
    ...{ title: `Error so far (${of})`, xTitle: 'questions', yTitle: 'wrong, %' },
    series: [
      ...chooserNames.map(name => ({
        name: titles[name],
        points: drawn.map(({ questions: x, choosers }) => ({ x, y: 100 * choosers[name].error })),
      })),
      {
        name: 'best expert so far',
        points: drawn.map(({ questions: x, best }) => ({ x, y: 100 * best.error })),
      },
    ],
  })
  await writeChart('ssev-regret.svg', {
    ...{ title: `Mistakes above the best expert (${of})`, xTitle: 'questions', yTitle: 'regret, mistakes' },
    series: chooserNames.map(name => ({
      name: titles[name],
      points: drawn.map(({ questions: x, choosers }) => ({ x, y: choosers[name].regret })),
    })),
  })
  await writeChart('ssev-weights.svg', {
    ...{ title: `Share of the weight (${of})`, xTitle: 'questions', yTitle: 'share of all weight, %' },
    series: shown.map(expert => ({
      name: expert,
      points: drawn.map(({ questions: x }) => ({
        x,
        y: 100 * mean(courses.map(({ shares }) => shares.get(expert)![x - 1]!)),
      })),
    })),
  })
}
