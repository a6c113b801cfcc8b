import { commonFunctions, functionNames } from '../standard-sql.ts'

/**
 * Functions of Postgres 18 that read nothing but their arguments (manual, chapter 9), and those of the extensions
 * that business databases have. Left out on purpose: what reads files, settings, statistics, locks, sequences or
 * large objects, what runs SQL given as text (`query_to_xml`, `ts_stat`, `ts_rewrite`, `dblink`, `crosstab`), XML,
 * and what makes much out of little (`array_fill`, `factorial`). `repeat` has to be told how often.
 */
export const postgresFunctions: ReadonlySet<string> = new Set([
  ...commonFunctions,
  ...functionNames(
    `array_agg bit_and bit_or bit_xor bool_and bool_or every string_agg mode percentile_cont percentile_disc
     json_agg json_agg_strict json_object_agg json_object_agg_strict json_object_agg_unique json_arrayagg
     json_objectagg jsonb_agg jsonb_agg_strict jsonb_object_agg jsonb_object_agg_strict range_agg
     range_intersect_agg`,
    `bit_count bit_length btrim casefold chr convert_from convert_to crc32 crc32c decode encode format get_bit get_byte
     initcap is_normalized like_escape lpad md5 normalize overlay parse_ident quote_ident quote_literal
     quote_nullable regexp_count regexp_instr regexp_like regexp_match regexp_matches regexp_replace
     regexp_split_to_array regexp_split_to_table regexp_substr rpad sha224 sha256 sha384 sha512
     similar_to_escape split_part starts_with string_to_array string_to_table strpos to_ascii to_bin to_hex to_oct
     translate unistr`,
    `cbrt div erf erfc gamma lgamma gcd lcm min_scale random random_normal scale trim_scale width_bucket acosd asind atand atan2d
     cosd cotd sind tand sinh cosh tanh asinh acosh atanh`,
    `age clock_timestamp date_add date_bin date_part date_subtract date_trunc isfinite justify_days justify_hours
     justify_interval make_date make_interval make_time make_timestamp make_timestamptz now overlaps
     statement_timestamp timeofday timezone to_char to_date to_number to_timestamp transaction_timestamp`,
    `json_to_tsvector jsonb_to_tsvector array_to_tsvector ts_delete ts_filter tsquery tsvector tsquery_phrase
     jsonb_contains jsonb_contained jsonb_exists jsonb_exists_any jsonb_exists_all jsonb_delete jsonb_delete_path
     jsonb_concat jsonb_path_query_tz jsonb_path_query_array_tz jsonb_path_query_first_tz jsonb_path_exists_tz
     jsonb_path_match_tz`,
    `enum_first enum_last enum_range array_sample array_shuffle set_bit set_byte repeat range_adjacent range_contains
     range_contained_by range_minus range_union range_intersect range_overlaps range_before range_after inet_merge
     inet_same_family set_masklen cash_words circle_center hashtext hashint2 hashint4 hashint8 hashfloat4 hashfloat8
     hash_numeric hashbpchar hash_array hash_range hash_multirange hash_record hashenum hashinet hashmacaddr
     hashmacaddr8 jsonb_hash time_hash timetz_hash interval_hash timestamp_hash uuid_hash macaddr8_set7bit booleq boolne`,
    // casts written as calls
    `bool date float4 float8 int2 int4 int8 interval numeric text time timestamp timestamptz varchar`,
    `array_to_json json json_array json_array_elements json_array_elements_text json_array_length json_build_array
     json_build_object json_each json_each_text json_exists json_extract_path json_extract_path_text json_object
     json_object_keys json_populate_record json_populate_recordset json_query json_scalar json_serialize
     json_strip_nulls json_table json_to_record json_to_recordset json_typeof json_value jsonb_array_elements
     jsonb_array_elements_text jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text
     jsonb_extract_path jsonb_extract_path_text jsonb_insert jsonb_object jsonb_object_keys jsonb_path_exists
     jsonb_path_match jsonb_path_query jsonb_path_query_array jsonb_path_query_first jsonb_populate_record
     jsonb_populate_recordset jsonb_pretty jsonb_set jsonb_set_lax jsonb_strip_nulls jsonb_to_record
     jsonb_to_recordset jsonb_typeof row_to_json to_json to_jsonb`,
    `array_append array_cat array_dims array_length array_lower array_ndims array_position array_positions
     array_prepend array_remove array_replace array_reverse array_sort array_to_string array_upper cardinality
     generate_series generate_subscripts trim_array unnest`,
    `daterange int4range int8range numrange tsrange tstzrange isempty lower_inc lower_inf upper_inc upper_inf
     range_merge multirange datemultirange int4multirange int8multirange nummultirange tsmultirange tstzmultirange`,
    `numnode phraseto_tsquery plainto_tsquery querytree setweight strip to_tsquery to_tsvector ts_headline ts_rank
     ts_rank_cd tsvector_to_array websearch_to_tsquery`,
    `num_nonnulls num_nulls pg_typeof gen_random_uuid uuidv4 uuidv7 uuid_extract_timestamp uuid_extract_version
     abbrev broadcast family host masklen netmask network area box center circle diameter height lseg npoints point
     polygon radius slope width`,
    // pg_trgm, fuzzystrmatch, unaccent, earthdistance, PostGIS
    `similarity word_similarity strict_word_similarity levenshtein levenshtein_less_equal soundex difference
     metaphone dmetaphone unaccent earth_box earth_distance ll_to_earth st_area st_asgeojson st_astext st_centroid
     st_contains st_distance st_distancesphere st_dwithin st_geomfromtext st_intersects st_length st_makepoint
     st_point st_setsrid st_transform st_within st_x st_y`,
  ),
])

/** The columns of functions in FROM that give more than one, or one with a name of its own. */
export const functionColumns: ReadonlyMap<string, readonly string[]> = new Map(
  ['json_each', 'json_each_text', 'jsonb_each', 'jsonb_each_text'].map(name => [name, ['key', 'value']]),
)
