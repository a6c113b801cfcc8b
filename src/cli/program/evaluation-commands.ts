import type { Command } from 'commander'
import { jsonOption, modelOption, type RunCommandByName, strategyOption } from './options.ts'

/** What is measured and trained: `eval`, `train`, `bench`. */
export const addEvaluationCommands = (program: Command, run: RunCommandByName): void => {
  const evaluation = program
    .command('eval')
    .description('measure Querent on questions whose answers are known')

  evaluation
    .command('questions')
    .description('ask every question of a file and compare the results with the known answers')
    .requiredOption('--questions <file>', 'JSON lines {"id", "db_id", "question", "gold", "dialect", ...}')
    .option(
      '--databases <where>',
      'a folder of <db_id>.sqlite files, or postgres://HOST/{db_id}; without it db_id is a name in querent.yml, or sample-company',
    )
    .addOption(modelOption())
    .addOption(strategyOption())
    .option('--limit <n>', 'only the first n questions')
    .option('--out <file>', 'one line a question; a second run goes on where the first stopped')
    .option('--report <file>', 'a report with charts: .html (one page), or .md (charts as files beside it)')
    .option('--against <file>', 'sets the report beside another run, a file of --out')
    .option('--rves', "also BIRD's R-VES: each right answer and its gold are run a hundred times")
    .option('--as-of <time>', 'what "now" is for every question (default: now)')
    .addOption(jsonOption())
    .action(options => run('eval-questions', options))

  evaluation
    .command('selection')
    .description('compare ways to choose among candidates that real systems wrote')
    .requiredOption('--pools <file>', 'JSON lines {"id", "pools"} or {"id", "systems"}, gzipped or not')
    .requiredOption('--questions <file>', 'the questions of these candidates, as for eval questions')
    .requiredOption('--databases <where>', 'a folder of <db_id>.sqlite files, or postgres://HOST/{db_id}')
    .requiredOption(
      '--pool <pool>',
      "a pool's name, several joined by +, or systems:A,B; may be repeated",
      (pool: string, before: readonly string[] = []) => [...before, pool],
    )
    .option('--selector <selectors>', 'some of first, majority, wma, rwma, evidence, learned (default: all)')
    .option('--folds <folds>', 'by-database (train without the database scored; the default) or none')
    .option('--clarify', 'also measure asking back where the candidates disagree')
    .option('--out <file>', 'write one line for each pool, selector and question: what was chosen')
    .addOption(jsonOption())
    .action(options => run('eval-selection', options))

  evaluation
    .command('diff')
    .description('compare two runs of the same questions, paired')
    .argument('<a>', 'file that eval questions wrote with --out')
    .argument('<b>', 'another one')
    .addOption(jsonOption())
    .action((a, b, options) => run('eval-diff', { a, b, ...options }))

  program
    .command('train')
    .description('learn from candidates of which it is known whether they are right')
    .command('selector')
    .description('train the selector, cross-validate it by database, and write model, folds and report')
    .requiredOption('--pools <files>', 'files of candidates, gzipped or not, with commas')
    .requiredOption(
      '--questions <files>',
      'files of questions, with commas; those without candidates are read by the semantic parser',
    )
    .requiredOption(
      '--databases <folders>',
      'folder or URL with {db_id} for each file of questions, or one for all',
    )
    .requiredOption('--out <file>', 'where the model goes; folds and report go beside it')
    .requiredOption(
      '--pool <pool...>',
      'what to train for and to report on: A, A+B or systems:A,B (as often as you like)',
    )
    .option('--seed <number>', 'for the mixtures of sources', '1')
    .option('--no-ablation', 'leave out the figures without each family of features, which take longest')
    .option('--groups <file>', 'write the labelled groups too, as JSON lines for bench:feedback')
    .addOption(jsonOption())
    .action(options => run('train-selector', options))

  program
    .command('bench')
    .description('measure a part of Querent by itself')
    .command('values')
    .description('how fast and how well the value index finds what noisy keywords were made from')
    .requiredOption('--values <file>', 'different values, one a line')
    .requiredOption('--queries <file>', 'JSON lines {"kind", "target", "keyword", "decidable"?}')
    .addOption(jsonOption())
    .action(options => run('bench-values', options))
}
