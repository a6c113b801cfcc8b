import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { Command, CommanderError, Option } from 'commander'
import type { CommandName, CommandOptions } from './cli/commands.ts'

/** The command line: what can be typed. What each command does is in `src/cli/`; nothing imports this file. */

// Compiling some two thousand modules is most of what a short command does. The cache lies in the project's own
// folder, because whoever can write it can make us run what they like.
enableCompileCache(join(import.meta.dirname, '../.querent/compile-cache'))

/** Loads the house only when a command runs: help and wrong arguments need none of it. */
const runCommand = async (name: CommandName, options: CommandOptions): Promise<void> => {
  const { runCommand: run } = await import('./cli/run-command.ts')
  await run(name, options)
}

const program = new Command('querent')
  .description(
    'Answers data questions: several SQL candidates, repaired, compared and guarded; one answer as a table.',
  )
  .usage('<command> [options]')
  .configureHelp({ sortSubcommands: false, helpWidth: 110 })
  .showHelpAfterError('(querent --help lists the commands)')
  .exitOverride()
  .addHelpText(
    'after',
    `
Databases are named in querent.yml or given as sqlite:PATH, duckdb:PATH (a database, or a folder of CSV and Parquet
files), postgres://... or mysql://...; without --database it is the defaultDatabase of querent.yml, else the sample company. Relative paths start in the folder you typed the command in.
Exit status: 0 for every honest outcome (answered, asked back, refused), 1 when the work failed, 2 for wrong arguments.

Try:
  npm run -s querent -- ask "how many orders were placed last month by region?"
  npm run -s querent -- ask "how many singers are there?" --database sqlite:music.sqlite --explain`,
  )

const json = () =>
  new Option('--json', 'one JSON value on standard output; everything else goes to standard error')
const database = () =>
  new Option(
    '--database <database>',
    'which database (default: that of querent.yml, else the sample company)',
  )
const model = () =>
  new Option('--model <model>', '"none" for no model at all (the default when none is configured)')

const strategy = () =>
  new Option('--strategy <strategy>', 'adaptive (drafts in waves; the default) or chase (all drafts at once)')

program
  .command('ask')
  .description('answer a question once; a question back is asked on a terminal, or answered by --reply')
  .argument('<question>', 'the question, in quotes')
  .addOption(database())
  .addOption(model())
  .addOption(strategy())
  .option(
    '--as-of <time>',
    'what "now" is: a day or a moment (ISO 8601), for the question and the sample company',
  )
  .option('--reply <reply>', 'answers a question back: the number of an option, or words')
  .option(
    '--after <question>',
    'a question that comes before this one in its thread; may be repeated, the oldest first',
    (text: string, before: readonly string[] = []) => [...before, text],
  )
  .option('--explain', 'show the whole run as a tree')
  .option('--store', "keep question, run and answer in Querent's own database")
  .addOption(json())
  .action((question, options) => runCommand('ask', { question, ...options }))

program
  .command('guard')
  .description('say of each SQL statement whether it may run; reads and writes JSON lines')
  .option('--dialect <dialect>', 'for lines that do not name their own', 'postgres')
  .option('--file <file>', 'lines {"id", "sql", "dialect"?}; standard input when left out')
  .option(
    '--database <database>',
    "also holds statements to this database's dialect, functions, tables and columns",
  )
  .option('--json', 'accepted for uniformity; the output is always JSON lines')
  .action(options => runCommand('guard', options))

program
  .command('index')
  .description('measure a database and index its values now, whatever is known of it already')
  .addOption(database())
  .option('--describe', 'have a model describe what nobody has described, into knowledge/generated/')
  .addOption(model())
  .addOption(json())
  .action(options => runCommand('index', options))

program
  .command('values')
  .description("show what the value index finds for a keyword: which of the database's values it may mean")
  .argument('<keyword>', 'the keyword, in quotes')
  .addOption(database())
  .addOption(json())
  .action((keyword, options) => runCommand('values', { keyword, ...options }))

const evaluation = program.command('eval').description('measure Querent on questions whose answers are known')

evaluation
  .command('questions')
  .description('ask every question of a file and compare the results with the known answers')
  .requiredOption('--questions <file>', 'JSON lines {"id", "db_id", "question", "gold", "dialect", ...}')
  .requiredOption('--databases <where>', 'a folder of <db_id>.sqlite files, or postgres://HOST/{db_id}')
  .addOption(model())
  .addOption(strategy())
  .option('--limit <n>', 'only the first n questions')
  .option('--out <file>', 'one line a question; a second run goes on where the first stopped')
  .option('--report <file>', 'a report with charts: .html (one page), or .md (charts as files beside it)')
  .option('--against <file>', 'sets the report beside another run, a file of --out')
  .option('--rves', "also BIRD's R-VES: each right answer and its gold are run a hundred times")
  .option('--as-of <time>', 'what "now" is for every question (default: now)')
  .addOption(json())
  .action(options => runCommand('eval-questions', options))

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
  .addOption(json())
  .action(options => runCommand('eval-selection', options))

evaluation
  .command('diff')
  .description('compare two runs of the same questions, paired')
  .argument('<a>', 'file that eval questions wrote with --out')
  .argument('<b>', 'another one')
  .addOption(json())
  .action((a, b, options) => runCommand('eval-diff', { a, b, ...options }))

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
  .addOption(json())
  .action(options => runCommand('train-selector', options))

program
  .command('bench')
  .description('measure a part of Querent by itself')
  .command('values')
  .description('how fast and how well the value index finds what noisy keywords were made from')
  .requiredOption('--values <file>', 'different values, one a line')
  .requiredOption('--queries <file>', 'JSON lines {"kind", "target", "keyword", "decidable"?}')
  .addOption(json())
  .action(options => runCommand('bench-values', options))

const verified = program
  .command('verified')
  .description('questions with SQL that somebody stands for: others that ask the same are answered from them')

verified
  .command('list')
  .description('show those that are proposed, accepted or stale, when they last ran and why they are stale')
  .option('--database <database>', 'only those of this database (default: all)')
  .option('--status <status>', 'only those that are proposed, accepted, stale or removed')
  .addOption(json())
  .action(options => runCommand('verified-list', options))

verified
  .command('add')
  .description('save a question with its SQL, once the SQL has passed the guard and run')
  .argument('<question>', 'the question, in quotes')
  .option('--sql <sql>', 'the SQL that answers it')
  .option('--file <file>', 'a file with the SQL')
  .option('--accept', 'accept it at once; else it is proposed, and not used before somebody accepts it')
  .option('--as-of <time>', 'what "now" is, for periods in the question')
  .addOption(database())
  .addOption(json())
  .action((question, options) => runCommand('verified-add', { question, ...options }))

verified
  .command('accept')
  .description('answer questions from it from now on; one that went stale has to run first')
  .argument('<id>', 'its id, or how that begins')
  .addOption(json())
  .action((id, options) => runCommand('verified-accept', { id, ...options }))

verified
  .command('remove')
  .description('use it no more')
  .argument('<id>', 'its id, or how that begins')
  .addOption(json())
  .action((id, options) => runCommand('verified-remove', { id, ...options }))

const selector = program
  .command('selector')
  .description('what chooses one answer among several results, as it learned from votes')

selector
  .command('list')
  .description('show the selectors that votes trained, and why each is in use or not')
  .addOption(json())
  .action(options => runCommand('selector-list', options))

selector
  .command('promote')
  .description('put a trained selector in use, whatever its report says')
  .argument('<version>', 'as selector list shows it')
  .addOption(json())
  .action((id, options) => runCommand('selector-promote', { id, ...options }))

selector
  .command('rollback')
  .description('go back to a selector that was in use before')
  .argument('<version>', 'as selector list shows it, or "shipped" for the one that came with Querent')
  .addOption(json())
  .action((id, options) => runCommand('selector-rollback', { id, ...options }))

program
  .command('feedback')
  .description('what people did about answers')
  .command('export')
  .description('write it as pairs of statements, the better one named; without who said it')
  .option(
    '--format <format>',
    "pairs (with what the selector measured; the default) or openai (that provider's format for preference fine-tuning, for a model that judges)",
  )
  .option('--out <file>', 'where to (default: standard output)')
  .addOption(json())
  .action(options => runCommand('feedback-export', options))

const knowledge = program
  .command('knowledge')
  .description('what people said words mean when they were asked back; what is accepted is used for answers')

knowledge
  .command('proposed')
  .description('show what was proposed')
  .option('--database <database>', 'only those of this database (default: all)')
  .option('--status <status>', 'those that are proposed (the default), accepted or rejected')
  .addOption(json())
  .action(options => runCommand('knowledge-proposed', options))

knowledge
  .command('accept')
  .description('use it for answers from now on')
  .argument('<id>', 'its id, or how that begins')
  .addOption(json())
  .action((id, options) => runCommand('knowledge-accept', { id, ...options }))

knowledge
  .command('reject')
  .description('use it no more, and do not propose it again')
  .argument('<id>', 'its id, or how that begins')
  .addOption(json())
  .action((id, options) => runCommand('knowledge-reject', { id, ...options }))

program
  .command('migrate')
  .description("bring Querent's own database up to date")
  .addOption(json())
  .action(options => runCommand('migrate', options))

program
  .command('doctor')
  .description('check each part and say what to do')
  .addOption(database())
  .addOption(json())
  .action(options => runCommand('doctor', options))

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof CommanderError)) throw error
  // Help and version are not mistakes; everything else that commander stops for is a wrong argument.
  process.exitCode = error.exitCode === 0 ? 0 : 2
}
