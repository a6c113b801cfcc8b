import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readGroupsFile } from './feedback/groups-file.ts'
import { type SpamKind, type SpammedSeason, simulateSpam, type Team } from './feedback/spammed-season.ts'
import { makeSyntheticGroups } from './feedback/synthetic-groups.ts'

/**
 * `npm run bench:voters -- [--groups FILE ...] [--seeds N] [--answers N]`: what people who vote falsely cost a selector
 * that is trained on votes, on databases that nobody voted on; with every vote at full weight under the caps, and
 * weighed by its voter. One of 20 people, or five of 50, votes falsely and eight times as often as the others. Groups as
 * in `bench:feedback`; without a file they are made up. Figures are means and standard deviations over seeds; costs are
 * paired: the same honest votes with and without the false ones.
 */
const { values } = parseArgs({
  options: {
    groups: { type: 'string', multiple: true },
    seeds: { type: 'string', default: '40' },
    answers: { type: 'string', default: '600' },
  },
})

const here = process.env.INIT_CWD ?? '.'

const questions = (
  values.groups?.flatMap(file => readGroupsFile(resolve(here, file))) ?? makeSyntheticGroups(1)
).filter(({ groups }) => groups.length > 0)

const crowds = {
  'one-of-20': { honest: 19, spammers: 1 },
  'five-of-50': { honest: 45, spammers: 5 },
} as const

const spams: readonly SpamKind[] = ['opposite', 'always-up', 'coin']

const round = (figure: number): number => Math.round(figure * 1000) / 1000

const describe = (figures: readonly number[]) => {
  const mean = figures.reduce((sum, figure) => sum + figure, 0) / figures.length
  const spread = figures.reduce((sum, figure) => sum + (figure - mean) ** 2, 0)
  return { mean: round(mean), sd: round(Math.sqrt(spread / Math.max(1, figures.length - 1))) }
}

const summarize = (seasons: readonly SpammedSeason[]) => {
  const over = (of: (season: SpammedSeason) => number) => describe(seasons.map(of))
  return {
    prior: over(({ prior }) => prior),
    unweighed: {
      honest: over(({ unweighed }) => unweighed.honest),
      all: over(({ unweighed }) => unweighed.all),
      cost: over(({ unweighed }) => unweighed.honest - unweighed.all),
    },
    weighed: {
      honest: over(({ weighed }) => weighed.honest),
      all: over(({ weighed }) => weighed.all),
      cost: over(({ weighed }) => weighed.honest - weighed.all),
    },
    /** What weights give over none on all votes, and what they take from honest votes alone. */
    gain: over(({ weighed, unweighed }) => weighed.all - unweighed.all),
    gainOnHonest: over(({ weighed, unweighed }) => weighed.honest - unweighed.honest),
    weights: {
      honest: over(({ weights }) => weights.honest),
      spammers: over(({ weights }) => weights.spammers),
    },
  }
}

const results = Object.fromEntries(
  Object.entries(crowds).map(([name, crowd]) => [
    name,
    Object.fromEntries(
      spams.map(spam => {
        const team: Team = { ...crowd, spam, loudness: 8, noise: 0.2 }
        const seasons = Array.from({ length: Number(values.seeds) }, (_, i) =>
          simulateSpam(questions, { seed: i + 1, answers: Number(values.answers), team }),
        )
        return [spam, summarize(seasons)]
      }),
    ),
  ]),
)

process.stdout.write(
  `${JSON.stringify({ questions: questions.length, seeds: Number(values.seeds), answers: Number(values.answers), results }, null, 1)}\n`,
)
