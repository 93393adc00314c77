-- Details say of no account whose they are: who may see the fact may see what was said beside it.
ALTER TABLE usage_details ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON usage_details FOR SELECT TO sluice_tenant
  USING (EXISTS (SELECT FROM usage_facts WHERE usage_facts.usage_id = usage_details.usage_id));
GRANT SELECT ON usage_details TO sluice_tenant;
