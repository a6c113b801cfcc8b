import type { SlackBlock } from '../block-kit/schema.ts'

/** The blocks that a workspace may not take yet, and that have a plainer form. */
const newerBlocks = ['data_visualization', 'data_table', 'table'] as const

/** A block with a plainer form. */
export type NewerBlock = (typeof newerBlocks)[number]

/**
 * Which kinds of blocks a workspace refuses. It is asked before each message, so that only one message a day is sent
 * twice.
 */
export interface RefusedBlocks {
  has(type: NewerBlock): boolean
  add(type: NewerBlock): void
}

/** After this time a refused block is tried again: Slack gives new blocks to one workspace after the other. */
const REMEMBERED_MS = 24 * 60 * 60 * 1_000

/** A memory for one workspace. It is kept by the process: after a restart, one message finds out again. */
export const makeRefusedBlocks = (now: () => Date): RefusedBlocks => {
  const until = new Map<NewerBlock, number>()
  return {
    has: type => (until.get(type) ?? 0) > now().getTime(),
    add: type => void until.set(type, now().getTime() + REMEMBERED_MS),
  }
}

/** The kinds of newer blocks in a message. */
export const newerBlocksIn = (blocks: readonly SlackBlock[]): readonly NewerBlock[] =>
  newerBlocks.filter(type => blocks.some(block => block.type === type))
