import type { Command } from 'commander'
import { evaluationHelp, feedbackHelp, optionHelp } from '../copy/help.ts'
import { databaseOption, jsonOption, modelOption, type RunCommandByName, strategyOption } from './commands.ts'

/** Adds the commands for what people taught: `verified`, `selector`, `feedback`, `knowledge`. */
export const addFeedbackCommands = (program: Command, run: RunCommandByName): void => {
  addVerifiedCommands(program, run)
  addSelectorCommands(program, run)

  program
    .command('feedback')
    .description(feedbackHelp.feedback.description)
    .command('export')
    .description(feedbackHelp.feedback.export)
    .option('--format <format>', feedbackHelp.feedback.format)
    .option('--out <file>', feedbackHelp.feedback.out)
    .addOption(jsonOption())
    .action(options => run('feedback-export', options))

  addKnowledgeCommands(program, run)
}

const addVerifiedCommands = (program: Command, run: RunCommandByName): void => {
  const help = feedbackHelp.verified
  const verified = program.command('verified').description(help.description)

  verified
    .command('list')
    .description(help.list)
    .option('--database <database>', optionHelp.onlyDatabase)
    .option('--status <status>', help.listStatus)
    .addOption(jsonOption())
    .action(options => run('verified-list', options))

  verified
    .command('add')
    .description(help.add)
    .argument('<question>', help.question)
    .option('--sql <sql>', help.sql)
    .option('--file <file>', help.file)
    .option('--accept', help.accept)
    .option('--as-of <time>', help.asOf)
    .addOption(databaseOption())
    .addOption(jsonOption())
    .action((question, options) => run('verified-add', { question, ...options }))

  verified
    .command('accept')
    .description(help.acceptCommand)
    .argument('<id>', optionHelp.idPrefix)
    .addOption(jsonOption())
    .action((id, options) => run('verified-accept', { id, ...options }))

  verified
    .command('remove')
    .description(help.remove)
    .argument('<id>', optionHelp.idPrefix)
    .addOption(jsonOption())
    .action((id, options) => run('verified-remove', { id, ...options }))
}

const addSelectorCommands = (program: Command, run: RunCommandByName): void => {
  const help = feedbackHelp.selector
  const selector = program.command('selector').description(help.description)

  selector
    .command('list')
    .description(help.list)
    .addOption(jsonOption())
    .action(options => run('selector-list', options))

  selector
    .command('promote')
    .description(help.promote)
    .argument('<version>', help.version)
    .addOption(jsonOption())
    .action((id, options) => run('selector-promote', { id, ...options }))

  selector
    .command('rollback')
    .description(help.rollback)
    .argument('<version>', help.versionOrShipped)
    .addOption(jsonOption())
    .action((id, options) => run('selector-rollback', { id, ...options }))
}

const addKnowledgeCommands = (program: Command, run: RunCommandByName): void => {
  const help = feedbackHelp.knowledge
  const knowledge = program.command('knowledge').description(help.description)

  knowledge
    .command('proposed')
    .description(help.proposed)
    .option('--database <database>', optionHelp.onlyDatabase)
    .option('--status <status>', help.status)
    .addOption(jsonOption())
    .action(options => run('knowledge-proposed', options))

  knowledge
    .command('accept')
    .description(help.accept)
    .argument('<id>', optionHelp.idPrefix)
    .addOption(jsonOption())
    .action((id, options) => run('knowledge-accept', { id, ...options }))

  knowledge
    .command('reject')
    .description(help.reject)
    .argument('<id>', optionHelp.idPrefix)
    .addOption(jsonOption())
    .action((id, options) => run('knowledge-reject', { id, ...options }))
}

/** Adds the commands that measure and train: `eval`, `train`, `bench`. */
export const addEvaluationCommands = (program: Command, run: RunCommandByName): void => {
  const { questions, selection, diff, trainSelector, benchValues } = evaluationHelp
  const evaluation = program.command('eval').description(evaluationHelp.eval.description)

  evaluation
    .command('questions')
    .description(questions.description)
    .requiredOption('--questions <file>', questions.questions)
    .option('--databases <where>', questions.databases)
    .addOption(modelOption())
    .addOption(strategyOption())
    .option('--limit <n>', questions.limit)
    .option('--out <file>', questions.out)
    .option('--report <file>', questions.report)
    .option('--against <file>', questions.against)
    .option('--rves', questions.rves)
    .option('--as-of <time>', questions.asOf)
    .addOption(jsonOption())
    .action(options => run('eval-questions', options))

  evaluation
    .command('selection')
    .description(selection.description)
    .requiredOption('--pools <file>', selection.pools)
    .requiredOption('--questions <file>', selection.questions)
    .requiredOption('--databases <where>', selection.databases)
    .requiredOption('--pool <pool>', selection.pool, (pool: string, before: readonly string[] = []) => [
      ...before,
      pool,
    ])
    .option('--selector <selectors>', selection.selector)
    .option('--folds <folds>', selection.folds)
    .option('--clarify', selection.clarify)
    .option('--out <file>', selection.out)
    .addOption(jsonOption())
    .action(options => run('eval-selection', options))

  evaluation
    .command('diff')
    .description(diff.description)
    .argument('<a>', diff.a)
    .argument('<b>', diff.b)
    .addOption(jsonOption())
    .action((a, b, options) => run('eval-diff', { a, b, ...options }))

  program
    .command('train')
    .description(evaluationHelp.train.description)
    .command('selector')
    .description(trainSelector.description)
    .requiredOption('--pools <files>', trainSelector.pools)
    .requiredOption('--questions <files>', trainSelector.questions)
    .requiredOption('--databases <folders>', trainSelector.databases)
    .requiredOption('--out <file>', trainSelector.out)
    .requiredOption('--pool <pool...>', trainSelector.pool)
    .option('--seed <number>', trainSelector.seed, '1')
    .option('--no-ablation', trainSelector.noAblation)
    .option('--groups <file>', trainSelector.groups)
    .addOption(jsonOption())
    .action(options => run('train-selector', options))

  program
    .command('bench')
    .description(evaluationHelp.bench.description)
    .command('values')
    .description(benchValues.description)
    .requiredOption('--values <file>', benchValues.values)
    .requiredOption('--queries <file>', benchValues.queries)
    .addOption(jsonOption())
    .action(options => run('bench-values', options))
}
