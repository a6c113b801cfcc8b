/** Options of measurements over one pool: its file, the questions, their databases, and which candidates of it count. */
export const poolOptions = {
  pools: { type: 'string' },
  questions: { type: 'string' },
  databases: { type: 'string' },
  pool: { type: 'string', default: 'gpt4_10+dailsql10+chatgpt5' },
} as const
