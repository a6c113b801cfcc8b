import type { Command } from 'commander'
import { feedbackHelp, optionHelp } from '../copy/help.ts'
import { databaseOption, jsonOption, type RunCommandByName } from './options.ts'

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
