import { writeFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { QuerentError } from '../../src/domain/errors.ts'
import type { ShapePriorModel } from '../../src/ranking/shape-prior/shape-prior-model.ts'
import { fitShapePrior } from './fit-shape-prior.ts'
import { type KnownAnswer, readAnswers, readPools } from './known-answers.ts'
import { measureFolds, measureMembers, renderShapePrior } from './measure-folds.ts'

/**
 * `npm run train:shape-prior -- --questions FILE --databases DIR [--licence TEXT] [--out FILE] [--folds N]`:
 * learns what a question leads one to expect of its SQL from questions whose SQL is known. With `--folds` it also says
 * how well that holds on databases that were left out; with `--pools FILE --pool P[;P] --pool-questions FILE
 * --pool-databases DIR` how often the right order of columns is shown of candidates that real systems wrote.
 */
const { values } = parseArgs({
  options: {
    questions: { type: 'string' },
    databases: { type: 'string' },
    licence: { type: 'string', default: 'CC BY-SA 4.0' },
    out: { type: 'string', default: 'weights/shape-prior.json' },
    folds: { type: 'string', default: '0' },
    pools: { type: 'string' },
    pool: { type: 'string', default: 'gpt4_10+dailsql10+chatgpt5' },
    'pool-questions': { type: 'string', default: '' },
    'pool-databases': { type: 'string', default: '' },
  },
})

const { questions, databases, licence, out } = values

if (questions === undefined || databases === undefined)
  throw new QuerentError('bad-arguments', 'Give --questions FILE and --databases DIR.')

const answers = await readAnswers({ questions, databases })

const ids = new Set(answers.map(({ database }) => database))

const train = (some: readonly KnownAnswer[]): ShapePriorModel => ({
  provenance: {
    trainedOn: [
      `${answers.length} questions over ${ids.size} databases of ${basename(questions)}; nothing of their text is kept here, only weights of words that questions of many databases share`,
    ],
    licence: `the questions: ${licence}`,
    method: 'logistic regressions with an L2 pull towards zero, fitted again without the weakest cues',
    date: new Date().toISOString().slice(0, 10),
  },
  ...fitShapePrior(some),
})

const model = train(answers)

writeFileSync(resolve(process.env.INIT_CWD ?? '.', out), renderShapePrior(model))

const folds = Number(values.folds)

if (folds > 1) console.log(JSON.stringify(measureFolds(answers, { folds, train }), null, 2))

if (values.pools !== undefined) {
  const executed = await readPools({
    pools: values.pools,
    questions: values['pool-questions'],
    databases: values['pool-databases'],
    names: values.pool.split(';'),
  })
  for (const [name, list] of executed) console.log(name, JSON.stringify(measureMembers(list, model)))
}
