import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import type { RecordedMessage } from '../../simulator/shapes/message.ts'
import type { BotProcess } from '../helpers/start-bot.ts'
import { isTable } from './message-parts.ts'
import { openWorkspace, type TestWorkspace } from './open-workspace.ts'

export const words = (thing: unknown): string => JSON.stringify(thing)

/** It says a text, in its blocks or without them. */
export const says =
  (text: string) =>
  (message: RecordedMessage): boolean =>
    words(message.blocks).includes(text) || message.text.includes(text)

/** Another statement for the question of `askClear`, which leaves out the row of cargo bicycles. */
export const withoutCargo =
  "select kind, count(*) as n from bicycles where kind <> 'cargo' group by kind order by kind"

/**
 * A workspace with a running bot for the test file that calls this, and what its people do with answers there. All of
 * it is for within tests.
 */
export const openAnswerActions = () => {
  let workspace: TestWorkspace
  let bot: BotProcess
  beforeAll(async () => {
    workspace = await openWorkspace({ timing: { fileProcessing: 300 }, humansIn: 'random' })
    bot = await workspace.bot.start()
  })
  afterAll(() => workspace?.[Symbol.asyncDispose]())
  afterEach(async () => {
    simulator().setFaults([])
    await simulator().settled()
  })

  const simulator = () => workspace.simulator
  const idOf = (handle: string): string =>
    simulator().people.find(person => person.handle === handle)?.id ?? ''
  /** The message as it stands now. */
  const now = (message: RecordedMessage): RecordedMessage =>
    simulator()
      .messages()
      .find(({ channel, ts }) => channel === message.channel && ts === message.ts) ?? message

  return {
    workspace: () => workspace,
    simulator,
    idOf,
    now,
    /** Asks what can be read in one way only, and waits for the answer. */
    askClear: async (by = 'ada') => {
      const question = await workspace.ask('@querent how many bicycles are there by kind?', by)
      return { question, answer: await workspace.reply(question, isTable) }
    },
    /** Chooses an entry of a message's menu. */
    more: (by: string, on: RecordedMessage, label: string) => simulator().click({ by, on: now(on), label }),
    /** Waits until only this person is told a text. */
    privately: (by: string, text: string) =>
      simulator().until(() =>
        simulator()
          .messages()
          .find(({ onlyFor, text: said }) => onlyFor === idOf(by) && said.includes(text)),
      ),
    modalOf: (by: string) => simulator().until(() => simulator().modal(by)),
    /** Kills the bot without a word, and starts it again. */
    killAndStart: async () => {
      await bot.end('SIGKILL')
      bot = await workspace.bot.start()
    },
    /** Until Slack has processed a picture, it refuses the message with it, and the bot tries again: nothing else was wrong. */
    expectNoProblems: (): void =>
      expect(
        simulator()
          .problems()
          .filter(({ problems }) => !problems.every(problem => problem.endsWith('is not there yet'))),
      ).toEqual([]),
  }
}
