import { randomBytes } from 'node:crypto'
import type { Block } from '../shapes/message.ts'

/** Gives an id to every block without one, as Slack does, so that clicks can name it. */
export const withBlockIds = (blocks: readonly Block[]): Block[] =>
  blocks.map(block => (block.block_id ? block : { ...block, block_id: randomBytes(4).toString('base64url') }))
