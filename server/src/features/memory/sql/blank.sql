-- The items of a receipt, without the words of those with these ids.
CREATE OR REPLACE FUNCTION atelier_blank(_items jsonb, _ids text[]) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_agg(CASE WHEN item->>'id' = ANY(_ids) THEN item || '{"text": "", "forgotten": true}' ELSE item END ORDER BY place)
  FROM jsonb_array_elements(_items) WITH ORDINALITY AS x(item, place)
$$;
