import { randomBytes } from 'node:crypto'
import type { Block } from '../shapes/message.ts'

/** Six random letters, without digits, so that a search for a number in a message never finds an id. */
const makeBlockId = (): string =>
  [...randomBytes(6)].map(byte => String.fromCharCode('a'.charCodeAt(0) + (byte % 26))).join('')

/** Gives an id to every block without one, as Slack does, so that clicks can name it. */
export const withBlockIds = (blocks: readonly Block[]): Block[] =>
  blocks.map(block => (block.block_id ? block : { ...block, block_id: makeBlockId() }))
