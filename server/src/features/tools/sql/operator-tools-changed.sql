-- The tools of the operator's servers are in everybody's catalogue, and are approved from a terminal.
CREATE OR REPLACE FUNCTION atelier_operator_tools_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM atelier_notify('*', 'tools', '');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER operator_tools_changed AFTER INSERT OR UPDATE OR DELETE ON operator_tool_pins
  FOR EACH STATEMENT EXECUTE FUNCTION atelier_operator_tools_changed();
