import { commonFunctions, functionNames } from '../standard-sql.ts'

/** Standard functions that Redshift's manual lists as missing. */
const missing = functionNames(
  `corr covar_pop covar_samp regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy
   grouping`,
)

/**
 * Functions of Redshift that only compute. Left out on purpose: what names the server, its sessions and its catalog,
 * user-defined and machine-learning functions, and what makes much out of little.
 */
export const redshiftFunctions: ReadonlySet<string> = new Set([
  ...[...commonFunctions].filter(name => !missing.has(name)),
  ...functionNames(
    `bit_and bit_or bool_and bool_or listagg median percentile_cont percentile_disc ratio_to_report
     grouping_id hll hll_cardinality hll_combine hll_combine_agg hll_create_sketch`,
    `decode isnull nvl nvl2 try_cast convert to_char to_date to_number text_to_int_alt text_to_numeric_alt`,
    `cbrt dexp dlog1 dlog10 random`,
    `btrim bpcharcmp bttext_pattern_cmp charindex chr collate crc32 difference func_sha1 initcap len levenshtein_distance lpad
     md5 octetindex quote_ident quote_literal regexp_count regexp_instr regexp_replace regexp_substr repeat
     replicate rpad sha sha1 sha2 soundex split_part split_to_array strpos strtol textlen to_hex translate
     fnv_hash farmfingerprint64 checksum`,
    `add_months convert_timezone date_cmp date_cmp_timestamp date_part date_part_year date_trunc dateadd datediff
     getdate interval_cmp last_day months_between next_day now sysdate timeofday timestamp_cmp timezone to_timestamp
     trunc date year month day hour minute second`,
    `get_array_length get_number_attributes is_array is_bigint is_boolean is_char is_decimal is_float is_integer
     is_object is_scalar is_smallint is_valid_json is_valid_json_array is_varchar json_array_length
     json_extract_array_element_text json_extract_path_text json_parse json_serialize json_serialize_to_varbyte
     json_size json_typeof lower_attribute_names object object_transform subarray array array_concat array_flatten
     array_contains array_distinct array_except array_intersection array_position array_positions array_sort
     array_union size upper_attribute_names can_json_parse`,
    `from_hex from_varbyte to_varbyte getbit hex_to_binary`,
    `st_area st_asewkt st_asgeojson st_astext st_azimuth st_centroid st_contains st_coveredby st_covers st_distance
     st_distancesphere st_dwithin st_geogfromtext st_geomfromtext st_intersects st_length st_makepoint st_npoints
     st_perimeter st_point st_setsrid st_srid st_transform st_within st_x st_y`,
  ),
])
