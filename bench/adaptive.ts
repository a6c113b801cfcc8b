import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { drawLineChart } from '../src/charts/report-charts.ts'
import { readVotes } from '../training/drafting-stop/read-votes.ts'
import { adaptiveCurve } from './adaptive/adaptive-curve.ts'
import { measureBudgets } from './adaptive/draft-budgets.ts'
import { fixedCurve, leadOfThree } from './adaptive/fixed-curves.ts'
import { poolOptions } from './pool-options.ts'

/**
 * `npm run bench:adaptive -- --pools FILE --questions FILE --databases DIR [--out FOLDER]`: how many right answers a
 * number of drafts buys: when a learned rule stops (in folds by database), at a fixed number, and at a lead of three.
 * The semantic parser has no say in the curve, so that its figures can be compared with others'. `budgets`: what each
 * `drafting.draftBudget` comes to with the learned selector, with the parser as the first witness and without.
 */
const { values } = parseArgs({
  options: {
    ...poolOptions,
    out: { type: 'string', default: 'docs/images' },
  },
})

const { pools = '', questions = '', databases = '', pool, out } = values

const witnessed = await readVotes({ pools, questions, databases, pool })

const votes = witnessed.map(vote => ({ ...vote, priors: new Map<string, number>(), parserEvidence: [] }))

/** From nearly free to dear: the curve from all drafts to hardly any. */
const COSTS = [0.0003, 0.0005, 0.001, 0.0015, 0.002, 0.003, 0.004, 0.006, 0.008, 0.012, 0.02]

const adaptive = adaptiveCurve(votes, COSTS)

const evidence = fixedCurve(votes, 'evidence')

const majority = fixedCurve(votes, 'majority')

const lead = leadOfThree(votes)

const budgets = { afterParser: measureBudgets(witnessed), withoutParser: measureBudgets(votes) }

const result = { n: votes.length, pool, adaptive, evidence, majority, lead, budgets }

process.stdout.write(`${JSON.stringify(result, null, 1)}\n`)

const asPoints = (points: readonly { readonly mean: number; readonly ex: number }[]) =>
  points.map(({ mean, ex }) => ({ x: mean, y: ex * 100 }))

const svg = await drawLineChart({
  title: `Right answers by drafts (${votes.length} questions, ${pool})`,
  xTitle: 'mean drafts a question',
  yTitle: 'EX, %',
  series: [
    { name: 'learned rule, by database', points: asPoints(adaptive) },
    { name: 'fixed number, votes and evidence', points: asPoints(evidence) },
    { name: 'fixed number, majority', points: asPoints(majority) },
    { name: 'majority, stop at a lead of 3', isPoints: true, points: asPoints([lead]) },
  ],
})

const path = resolve(process.env.INIT_CWD ?? '.', out, 'adaptive.svg')

mkdirSync(dirname(path), { recursive: true })

writeFileSync(path, `${svg}\n`)
