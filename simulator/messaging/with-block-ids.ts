import { randomBytes } from 'node:crypto'
import type { Block } from '../shapes/message.ts'

/** Six letters at random. No digits: whoever looks for a number in a message finds none that nobody wrote. */
const makeBlockId = (): string =>
  [...randomBytes(6)].map(byte => String.fromCharCode('a'.charCodeAt(0) + (byte % 26))).join('')

/** Gives an id to every block without one, as Slack does, so that clicks can name it. */
export const withBlockIds = (blocks: readonly Block[]): Block[] =>
  blocks.map(block => (block.block_id ? block : { ...block, block_id: makeBlockId() }))
