/** The tables of the harbor as every dialect must report them, with only what all of them can express. */
export const harborCatalog = {
  tables: {
    busy_ports: { type: 'view', primaryKey: [], columns: ['port', 'stops'] },
    ports: { type: 'table', primaryKey: ['id'], columns: ['id', 'name', 'country', 'opened'] },
    ships: {
      type: 'table',
      primaryKey: ['id'],
      columns: ['id', 'name', 'home_port_id', 'tonnage', 'active', 'launched'],
    },
    stops: {
      type: 'table',
      primaryKey: ['id'],
      columns: ['id', 'ship_id', 'voyage_number', 'port_id', 'note'],
    },
    voyages: { type: 'table', primaryKey: ['ship_id', 'number'], columns: ['ship_id', 'number', 'departed'] },
  },
  kinds: {
    'ports.id': 'integer',
    'ports.name': 'text',
    'ports.opened': 'date',
    'ships.tonnage': 'number',
    'ships.active': 'boolean',
    'ships.launched': 'timestamp',
  },
  nullable: { 'ports.id': false, 'ports.name': false, 'ports.country': true },
  foreignKeys: [
    'ships(home_port_id) -> ports(id)',
    'stops(port_id) -> ports(id)',
    'stops(ship_id, voyage_number) -> voyages(ship_id, number)',
    'voyages(ship_id) -> ships(id)',
  ],
} as const

/** The rows of the harbor: plain SQL that both dialects read. */
export const harborRows = `
  insert into ports values (1, 'Ålesund', 'Norway', '1848-01-01'), (2, 'Bilbao', null, null), (3, '長崎', 'Japan', '1571-06-01');
  insert into ships values (1, 'Gull', 1, 1200.50, true, '2001-05-06 10:00:00'), (2, 'Heron', 2, null, null, null);
  insert into voyages values (1, 1, '2024-01-01 06:00:00'), (1, 2, '2024-02-01 06:00:00'), (2, 1, null);
  insert into stops values (1, 1, 1, 3, 'it''s 100 %'), (2, 1, 2, 3, ''), (3, 2, 1, 1, null);
`
