import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { drawLineChart } from '../src/charts/report-charts.ts'
import { readGroupsFile } from './feedback/groups-file.ts'
import { type Season, simulateSeason, VOTES_A_NIGHT } from './feedback/simulate-season.ts'
import { makeSyntheticGroups } from './feedback/synthetic-groups.ts'
import type { Electorate } from './feedback/vote-on-answers.ts'

/**
 * `npm run bench:feedback -- [--groups FILE ...] [--seeds N] [--votes N] [--out FOLDER]`: what votes do to the selector
 * on databases that nobody voted on. Votes are drawn from known answers: one in five honest ones is a mistake, and one
 * person gives 30 % of all votes, each the opposite of the truth. Groups are JSON lines {id, database, groups, right,
 * weight}; without a file they are made up.
 */
const { values } = parseArgs({
  options: {
    groups: { type: 'string', multiple: true },
    seeds: { type: 'string', default: '20' },
    votes: { type: 'string', default: '500' },
    out: { type: 'string', default: 'docs/images' },
  },
})

const here = process.env.INIT_CWD ?? '.'

const questions = (
  values.groups?.flatMap(file => readGroupsFile(resolve(here, file))) ?? makeSyntheticGroups(1)
).filter(({ groups }) => groups.length > 0)

const votes = Number(values.votes)

const honest: Electorate = { honestVoters: 20, adversarial: 0, noise: 0.2, picking: 0 }

const electorates: Readonly<Record<string, Electorate>> = {
  'thumbs, and an adversary with 30 % of the votes': { ...honest, adversarial: 0.3 },
  'the same, and a third of those who vote down pick another result': {
    ...honest,
    adversarial: 0.3,
    picking: 1 / 3,
  },
  'thumbs without the adversary': honest,
}

const nights = Array.from({ length: Math.floor(votes / VOTES_A_NIGHT) }, (_, i) => (i + 1) * VOTES_A_NIGHT)

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length

const errorOf = (numbers: readonly number[]): number =>
  Math.sqrt(numbers.reduce((sum, number) => sum + (number - mean(numbers)) ** 2, 0)) / numbers.length

const summarise = (seasons: readonly Season[]) => {
  const last = seasons.map(({ gains }) => gains.at(-1) ?? 0)
  return {
    prior: mean(seasons.map(({ prior }) => prior)),
    gain: mean(last),
    standardError: errorOf(last),
    /** The lowest mean over seeds after any night, and the lowest of any seed. */
    lowestMean: Math.min(...nights.map((_, at) => mean(seasons.map(({ gains }) => gains[at]!)))),
    lowestOfAll: Math.min(...seasons.flatMap(({ gains }) => gains)),
    seedsBelowHalfAPoint: seasons.filter(({ gains }) => Math.min(...gains) < -0.5).length,
    promotions: seasons.reduce((sum, { promotions }) => sum + promotions, 0),
    byNight: nights.map((votes, at) => ({ votes, gain: mean(seasons.map(({ gains }) => gains[at]!)) })),
  }
}

const results = Object.fromEntries(
  Object.entries(electorates).map(([name, electorate]) => {
    process.stderr.write(`${name} ...\n`)
    const seasons = Array.from({ length: Number(values.seeds) }, (_, i) =>
      simulateSeason(questions, { seed: i + 1, votes, electorate }),
    )
    return [name, { seasons, ...summarise(seasons) }]
  }),
)

const told = Object.fromEntries(Object.entries(results).map(([name, { seasons, ...rest }]) => [name, rest]))

process.stdout.write(
  `${JSON.stringify({ questions: questions.length, seeds: Number(values.seeds), votes, results: told }, null, 1)}\n`,
)

const [[, main] = []] = Object.entries(results)

const svg = await drawLineChart({
  title: `What votes do on unseen databases (${questions.length} questions, mean of ${values.seeds} seeds)`,
  xTitle: 'votes',
  yTitle: 'EX, points above the shipped selector',
  series: [
    ...Object.entries(results).map(([name, { byNight }]) => ({
      name,
      points: [{ x: 0, y: 0 }, ...byNight.map(({ votes, gain }) => ({ x: votes, y: gain }))],
    })),
    {
      name: 'each seed, with the adversary',
      isPoints: true,
      points: main!.seasons.flatMap(({ gains }) => gains.map((gain, at) => ({ x: nights[at]!, y: gain }))),
    },
  ],
})

const path = resolve(here, values.out, 'feedback.svg')

mkdirSync(dirname(path), { recursive: true })

writeFileSync(path, `${svg}\n`)
