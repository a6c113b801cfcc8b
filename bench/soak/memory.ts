import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startSimulator } from '../../simulator/start-simulator.ts'
import { drawLineChart } from '../../src/charts/report-charts.ts'
import { cyclesSchema } from '../../test/e2e/cycles-schema.ts'
import { openWatcher } from '../../test/e2e/open-watcher.ts'
import { makeSqliteFile } from '../../test/helpers/sqlite-file.ts'
import { makeBotHome } from '../../test/helpers/start-bot.ts'
import { openBenchDatabase } from '../overhead/open-bench-database.ts'
import { readMemory } from './read-memory.ts'
import { writeRun } from './write-run.ts'

/** What docs/replicas.md promises of one process, in megabytes. */
const MOST_MB = 400

/** So long without an end of any question is worth an explanation, in seconds. */
const LONGEST_SILENCE_S = 60

/** Growth of the least heap from the second quarter of a run to the last that is no more than noise, in megabytes. */
const NOISE_MB = 15

const SAMPLES = 240

/** So many samples from one line about the run to the next. */
const TELL_EVERY = 20

const CHART = join(import.meta.dirname, '../../docs/images/memory.svg')

const texts = [
  'how many bicycles are there by kind?',
  'how many riders are there?',
  'how many hires are there by pickup country?',
  'average kilometres per hire',
]

interface Sample {
  readonly minute: number
  readonly rss: number
  /** Null until the bot has told it. */
  readonly heap: number | null
  readonly ended: number
}

/**
 * `npm run soak -- memory --minutes 60`: a bot under steady load, whose memory is sampled; draws docs/images/memory.svg
 * with `--chart`. Resolves with whether it stayed below the limit, did not grow, never fell silent, and
 * left no question without an end.
 */
export const soakMemory = async (args: readonly string[]): Promise<boolean> => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '60' },
      every: { type: 'string', default: '2000' },
      chart: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  const minutes = Number(values.minutes)
  await using undo = new AsyncDisposableStack()
  const store = undo.adopt(await openBenchDatabase(), opened => opened.drop())
  const watcher = undo.use(await openWatcher(store.url))
  const cycles = undo.adopt(makeSqliteFile(cyclesSchema), file => file.remove())
  const simulator = undo.adopt(await startSimulator(), started => started.close())
  const home = undo.use(
    await makeBotHome({
      simulator,
      storeUrl: store.url,
      databaseFile: cycles.file,
      costOfAsking: 1,
      preload: join(import.meta.dirname, 'report-heap.ts'),
    }),
  )
  const bot = await home.start()
  const started = Date.now()
  const isOver = (): boolean => Date.now() - started >= minutes * 60_000
  const samples: Sample[] = []
  const countEnded = async (): Promise<number> => {
    const [row] = await watcher.rows(
      `select count(*)::int as ended from querent.questions where status in ('answered', 'refused', 'failed')`,
    )
    return Number(row?.ended)
  }

  const sample = async (): Promise<void> => {
    const pause = Math.max(1_000, (minutes * 60_000) / SAMPLES)
    while (!isOver()) {
      await sleep(pause)
      const told = bot.lines.findLast(line => line.includes('"heapUsed":'))
      samples.push({
        minute: (Date.now() - started) / 60_000,
        rss: readMemory(bot.pid),
        heap: told === undefined ? null : Math.round(JSON.parse(told).heapUsed / 1_048_576),
        ended: await countEnded(),
      })
      const { minute, rss, ended } = samples.at(-1) as Sample
      if (samples.length % TELL_EVERY === 0) {
        process.stderr.write(`minute ${Math.round(minute)}: ${ended} questions ended, ${rss} MB\n`)
      }
    }
  }
  const ask = async (): Promise<number> => {
    let asked = 0
    for (; !isOver(); asked++) {
      await simulator.post({ by: 'ada', in: '#sales', text: `@querent ${texts[asked % texts.length]}` })
      await sleep(Number(values.every))
    }
    return asked
  }
  const [asked] = await Promise.all([ask(), sample()])
  for (let waited = 0; waited < LONGEST_SILENCE_S && (await countEnded()) < asked; waited += 1) {
    await sleep(1_000)
  }
  const ended = await countEnded()

  const least = (from: number, to: number): number =>
    Math.min(
      ...samples
        .slice(Math.floor(samples.length * from), Math.ceil(samples.length * to))
        .flatMap(({ heap }) => (heap === null ? [] : [heap])),
    )
  const summary = {
    minutes,
    asked,
    ended,
    mostResidentMb: Math.max(...samples.map(({ rss }) => rss)),
    residentAtEndMb: samples.at(-1)?.rss ?? 0,
    leastHeapSecondQuarterMb: least(0.25, 0.5),
    leastHeapLastQuarterMb: least(0.75, 1),
    longestSilenceSeconds: Math.round(longestSilence(samples) * 60),
  }
  // What the bot complained of tells why it was silent.
  writeRun('memory', { summary, all: { samples, complaints: home.complaints() }, json: values.json })
  if (values.chart) writeFileSync(CHART, await drawLineChart(chartOf(samples, ended)))
  return (
    ended === asked &&
    summary.mostResidentMb <= MOST_MB &&
    summary.longestSilenceSeconds <= LONGEST_SILENCE_S &&
    summary.leastHeapLastQuarterMb - summary.leastHeapSecondQuarterMb <= NOISE_MB
  )
}

/** The longest time, in minutes, in which no question came to its end. */
const longestSilence = (samples: readonly Sample[]): number => {
  let [longest, since, ended] = [0, 0, 0]
  for (const sample of samples) {
    if (sample.ended > ended) [since, ended] = [sample.minute, sample.ended]
    longest = Math.max(longest, sample.minute - since)
  }
  return longest
}

const chartOf = (samples: readonly Sample[], ended: number) => ({
  title: `Memory of one process under load (${ended.toLocaleString('en-US')} questions)`,
  xTitle: 'minutes',
  yTitle: 'megabytes',
  series: [
    { name: 'resident', points: samples.map(({ minute, rss }) => ({ x: minute, y: rss })) },
    {
      name: 'heap in use',
      points: samples.flatMap(({ minute, heap }) => (heap === null ? [] : [{ x: minute, y: heap }])),
    },
  ],
})
