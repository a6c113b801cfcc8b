/**
 * Databases that must be held out together: `new_X` is `X` with other rows (Spider-DK), so a selector that has seen one
 * has seen the answers of both.
 */
export const databaseFamily = (name: string): string => name.replace(/^new_/, '')
