import { randomBytes } from 'node:crypto'
import type { Block } from '../shapes/message.ts'

/** Gives every block that came without an id one of Slack's making, by which clicks name it. */
export const withBlockIds = (blocks: readonly Block[]): Block[] =>
  blocks.map(block => (block.block_id ? block : { ...block, block_id: randomBytes(4).toString('base64url') }))
